//===- HelpPage.h - What tosca-run says of itself ------------*- C++ -*-===//

#include "Help/Help.h"

namespace toscac {

const help::Page &helpPage();

} // namespace toscac
