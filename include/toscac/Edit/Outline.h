//===- toscac/Edit/Outline.h - A file while it is written -------*- C++ -*-===//
///
/// \file
/// The tree of one file by itself, also where the file does not parse: lines
/// that the reader stumbles over are blanked, so that everything else stands
/// where it stood. It is made by the compiler's own reader and grammar.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_EDIT_OUTLINE_H
#define TOSCAC_EDIT_OUTLINE_H

#include "toscac/Driver/Driver.h"
#include "toscac/Edit/Text.h"
#include "toscac/Parse/TOSCA/AST.h"

namespace toscac {
class DiagnosticEngine;
} // namespace toscac

namespace toscac::edit {

struct Outline {
  std::string text;
  Lines lines;
  /// What was read: the text, or the text with blanks in it.
  std::string repaired;
  bool isRepaired = false;
  /// None where nothing tells: it is read as TOSCA.
  std::optional<Language> language;
  SourceManager sources;
  NameTable names;
  syntax::Tree tree;
  /// As the file says; null for TOSCA 2.0.
  const tosca::EarlierVersion *dialect = nullptr;
  /// Of a file in TOSCA; empty otherwise.
  tosca::Entity root{tosca::EntityKind::File};

  explicit Outline(std::string text);

  bool isTosca() const { return !language || *language == Language::TOSCA; }
  size_t offset(SourceLoc loc) const { return loc.raw - base; }
  TextRange range(SourceRange range) const {
    return lines.range(offset(range.begin), offset(range.end));
  }
  const tosca::EntityRule &rule(tosca::EntityKind kind) const;

private:
  void read(DiagnosticEngine &diags);
  uint32_t base = 0;
};

/// What leads from the root of a file to a place in it.
struct Place {
  struct Step {
    const tosca::Entity *entity;
    /// The field of the entity in which the next step is; null where the place
    /// is in none: at a key that the grammar does not know.
    const tosca::Field *field = nullptr;
  };
  std::vector<Step> steps;
  /// Nodes from the value of the last field, or from the last entity, down to
  /// the place: maps, lists, keys and scalars.
  std::vector<const syntax::Node *> nodes;
  /// The keys of the maps among them under whose values the place is.
  std::vector<const syntax::Node *> keys;

  const tosca::Entity *entity() const {
    return steps.empty() ? nullptr : steps.back().entity;
  }
  const tosca::Field *field() const {
    return steps.empty() ? nullptr : steps.back().field;
  }
  /// The nearest entity of \p kind, or null.
  const tosca::Entity *enclosing(tosca::EntityKind kind) const;
};

/// Where the byte \p offset is in \p outline.
Place findPlace(const Outline &outline, size_t offset);

} // namespace toscac::edit

#endif
