//===- DrawPlan.cpp - Plans as pictures -----------------------------------===//
///
/// \file
/// A small plan has a box for each step. Where that would be too many to see,
/// or to draw, there is one for alike steps of all instances of a template, and
/// arrows between two of them are one.
///
//===----------------------------------------------------------------------===//

#include "FoldSteps.h"
#include "toscac/Plan/PrintPlan.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using namespace toscac::planfile;
using llvm::raw_ostream;
using llvm::StringRef;

/// More than that nobody can read.
static constexpr size_t maxBoxes = 300;
/// What Mermaid draws, unless it is set up otherwise.
static constexpr size_t maxEdges = 500;
static constexpr size_t maxCharacters = 50000;

namespace {

struct Box {
  uint32_t id;
  std::string label;
  StepKind kind;
  bool isFailure = false;
  bool isCritical = false;
};

struct Arrow {
  enum Kind : uint8_t { Order, Choice, Exclusion, Failure, AfterFailure };
  uint32_t from;
  uint32_t to;
  Kind kind = Order;
  bool isCritical = false;
};

struct Picture {
  std::vector<Box> boxes;
  std::vector<Arrow> arrows;
};

/// Of each step or of alike ones.
class Drawing {
public:
  explicit Drawing(Plan &plan) : plan(plan) {}
  llvm::Expected<Picture> drawSteps();
  Picture drawFolded();

private:
  llvm::DenseSet<uint32_t> critical() const {
    return {plan.figures().criticalPath.begin(),
            plan.figures().criticalPath.end()};
  }
  llvm::DenseSet<std::pair<uint32_t, uint32_t>> criticalEdges() const;

  Plan &plan;
};

} // namespace

llvm::DenseSet<std::pair<uint32_t, uint32_t>> Drawing::criticalEdges() const {
  llvm::DenseSet<std::pair<uint32_t, uint32_t>> edges;
  llvm::ArrayRef<uint32_t> path = plan.figures().criticalPath;
  for (size_t i = 1; i < path.size(); ++i)
    edges.insert({path[i - 1], path[i]});
  return edges;
}

llvm::Expected<Picture> Drawing::drawSteps() {
  Picture picture;
  llvm::DenseSet<uint32_t> path = critical();
  auto edges = criticalEdges();
  for (uint32_t i = 0; i != plan.steps().size(); ++i) {
    Box box{i, "", plan.steps()[i].kind, i >= plan.numSteps(),
            path.contains(i)};
    if (box.kind != StepKind::Join) {
      llvm::Expected<std::string> name = plan.stepName(i);
      if (!name)
        return name.takeError();
      box.label = *name;
    }
    picture.boxes.push_back(std::move(box));
  }
  for (uint32_t i = 0; i != plan.steps().size(); ++i) {
    bool isFailure = i >= plan.numSteps();
    for (auto [number, dep] : llvm::enumerate(plan.deps(i)))
      picture.arrows.push_back({dep, i,
                                isFailure                  ? Arrow::Failure
                                : plan.isChoice(i, number) ? Arrow::Choice
                                                           : Arrow::Order,
                                edges.contains({dep, i})});
    // Those that come right after the failure.
    if (isFailure &&
        (plan.deps(i).empty() || plan.deps(i).back() < plan.numSteps()))
      picture.arrows.push_back(
          {plan.steps()[i].afterFailure, i, Arrow::AfterFailure});
  }
  for (const Exclusion &pair : plan.exclusions())
    picture.arrows.push_back({pair.earlier, pair.later, Arrow::Exclusion});
  return picture;
}

Picture Drawing::drawFolded() {
  FoldedNames names(plan);
  FoldedSteps folded(plan, names, FoldedSteps::By::Operation);
  Picture picture;
  for (auto [i, box] : llvm::enumerate(folded.boxes))
    picture.boxes.push_back({uint32_t(i), nameOf(box, plan, names), box.kind,
                             /*isFailure=*/false, box.isCritical});
  for (const auto &[ends, isCritical] : folded.arrows)
    picture.arrows.push_back(
        {ends.first, ends.second, Arrow::Order, isCritical});
  return picture;
}

/// \p text in a string of dot.
static std::string quoteDot(StringRef text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result + '"';
}

static void writeDot(const Picture &picture, raw_ostream &os) {
  os << "digraph plan {\n  rankdir=LR;\n"
        "  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n";
  for (const Box &box : picture.boxes) {
    os << "  s" << box.id << " [label=";
    if (box.kind == StepKind::Join)
      os << "\"\", shape=point";
    else
      os << quoteDot(box.label);
    if (box.isFailure)
      os << ", color=red";
    else
      os << (box.kind == StepKind::Set ? ", style=dashed" : "")
         << (box.isCritical ? ", color=blue, penwidth=2" : "");
    os << "];\n";
  }
  for (const Arrow &arrow : picture.arrows) {
    os << "  s" << arrow.from << " -> s" << arrow.to;
    switch (arrow.kind) {
    case Arrow::Order:
      os << (arrow.isCritical ? " [color=blue, penwidth=2]" : "");
      break;
    case Arrow::Choice:
      os << (arrow.isCritical ? " [style=dashed, color=blue]"
                              : " [style=dashed]");
      break;
    case Arrow::Exclusion:
      os << " [style=dotted, dir=none, constraint=false]";
      break;
    case Arrow::Failure:
      os << " [color=red]";
      break;
    case Arrow::AfterFailure:
      os << " [color=red, label=\"fails\"]";
      break;
    }
    os << ";\n";
  }
  os << "}\n";
}

/// \p text in a quoted label of Mermaid.
static std::string quoteMermaid(StringRef text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"')
      result += "#quot;";
    else if (c == '#')
      result += "#35;";
    else
      result += c;
  }
  return result + '"';
}

static void writeMermaid(const Picture &picture, raw_ostream &os) {
  os << "flowchart LR\n";
  for (const Box &box : picture.boxes) {
    os << "  s" << box.id;
    if (box.isFailure)
      os << "{{" << quoteMermaid(box.label) << "}}";
    else if (box.kind == StepKind::Join)
      os << "(( ))";
    else if (box.kind == StepKind::Call)
      os << '[' << quoteMermaid(box.label) << ']';
    else
      os << "([" << quoteMermaid(box.label) << "])";
    os << (box.isCritical ? ":::critical\n" : "\n");
  }
  for (const Arrow &arrow : picture.arrows) {
    static constexpr StringRef lines[] = {" --> s", " -.-> s", " -.- s",
                                          " --> s", " -->|fails| s"};
    os << "  s" << arrow.from << lines[arrow.kind] << arrow.to << '\n';
  }
  if (llvm::any_of(picture.boxes,
                   [](const Box &box) { return box.isCritical; }))
    os << "  classDef critical stroke:#00f,stroke-width:2px\n";
}

llvm::Error planfile::drawPlanAsDot(Plan &plan, raw_ostream &os) {
  Drawing drawing(plan);
  if (plan.steps().size() > maxBoxes) {
    writeDot(drawing.drawFolded(), os);
    return llvm::Error::success();
  }
  llvm::Expected<Picture> picture = drawing.drawSteps();
  if (!picture)
    return picture.takeError();
  writeDot(*picture, os);
  return llvm::Error::success();
}

llvm::Error planfile::drawPlanAsMermaid(Plan &plan, raw_ostream &os) {
  Drawing drawing(plan);
  std::string text;
  if (plan.steps().size() <= maxBoxes) {
    llvm::Expected<Picture> picture = drawing.drawSteps();
    if (!picture)
      return picture.takeError();
    if (picture->arrows.size() <= maxEdges) {
      llvm::raw_string_ostream drawn(text);
      writeMermaid(*picture, drawn);
    }
  }
  if (text.empty() || text.size() > maxCharacters) {
    text.clear();
    llvm::raw_string_ostream drawn(text);
    writeMermaid(drawing.drawFolded(), drawn);
  }
  os << text;
  return llvm::Error::success();
}
