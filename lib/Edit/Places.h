//===- Places.h - Places of the compiler as editors have them ---*- C++ -*-===//

#ifndef TOSCAC_LIB_EDIT_PLACES_H
#define TOSCAC_LIB_EDIT_PLACES_H

#include "toscac/Basic/SourceManager.h"
#include "toscac/Edit/Text.h"
#include <map>

namespace toscac::edit {

/// Turns places of one source manager into locations. Lines of a file are
/// counted once.
class Places {
public:
  explicit Places(const SourceManager &sources) : sources(sources) {}

  std::string pathOf(SourceLoc loc) const {
    return sources.name(sources.fileOf(loc)).str();
  }
  TextRange range(SourceRange range) {
    FileId file = sources.fileOf(range.begin);
    auto known = lines.try_emplace(file.index, sources.text(file)).first;
    size_t begin = sources.offsetInFile(range.begin);
    return known->second.range(begin, begin + range.size());
  }
  Location location(SourceRange at) { return {pathOf(at.begin), range(at)}; }

private:
  const SourceManager &sources;
  std::map<uint32_t, Lines> lines;
};

} // namespace toscac::edit

#endif
