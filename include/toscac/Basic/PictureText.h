//===- toscac/Basic/PictureText.h - Text inside of pictures -----*- C++ -*-===//
///
/// \file
/// Any text as part of a drawing: one function per language of pictures. Names
/// of TOSCA may have every character.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_BASIC_PICTURETEXT_H
#define TOSCAC_BASIC_PICTURETEXT_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace toscac {

/// A quoted string of Graphviz; line breaks in \p text are shown as such.
std::string quoteDot(llvm::StringRef text);

/// \p text for a label of Mermaid in double quotes, which are not added. It has
/// no escapes but HTML's; line breaks in \p text are shown as such.
std::string escapeMermaid(llvm::StringRef text);

} // namespace toscac

#endif
