//===- HelpPage.h - What toscac says of itself ------------*- C++ -*-===//

#include "Help/Help.h"

namespace toscac {

const help::Page &helpPage();

} // namespace toscac
