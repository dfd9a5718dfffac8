//===- Topology.cpp - Where the boxes of a topology stand -----------------===//

#include "Topology.h"

#include "Layout.h"
#include "toscac/Basic/JSONWriter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"
#include <map>

using namespace toscac;
using namespace toscac::page;
using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;

// As style.css has them.
static constexpr double headHeight = 50;
static constexpr double padding = 16;
static constexpr double minWidth = 132;
/// With more lines, their names would leave no room.
static constexpr size_t maxLabels = 40;
/// With more boxes, the picture is wide, and each box narrow.
static constexpr size_t manyBoxes = 60;

static constexpr uint32_t nobody = UINT32_MAX;

namespace {

struct TopologyBox {
  /// Its number in `families`.
  uint32_t family;
  StringRef name;
  /// What stands in it: a name with the number of instances, and a type.
  std::string title;
  std::string subtitle;
  uint32_t parent = nobody;
  uint32_t depth = 0;
  std::vector<uint32_t> inside;
  /// Of what is inside.
  Size inner;
  /// Within what it is inside of.
  Shape shape;
  Point absolute;
};

/// A relationship family on its way to one of the families it leads to.
struct TopologyLine {
  uint32_t family;
  uint32_t target;
  uint32_t from;
  uint32_t to;
  std::string label;
  std::vector<Point> way;
  std::optional<Point> labelAt;
};

class Topology {
public:
  Topology(const Object &plan, const Object *graph);

  void place();
  void write(llvm::raw_ostream &os) const;

private:
  void collectBoxes(const Object &plan);
  void collectLines();
  void findParents(const Object *graph);
  void findNamedParents();
  void breakCycles();
  void measure(TopologyBox &box);
  double limitOf(uint32_t parent) const;
  void placeInside(uint32_t parent, llvm::ArrayRef<uint32_t> boxesInside);
  std::optional<std::pair<uint32_t, uint32_t>> siblings(uint32_t a,
                                                        uint32_t b) const;

  const Array *families = nullptr;
  std::vector<TopologyBox> boxes;
  /// By family.
  std::vector<uint32_t> boxOf;
  std::vector<TopologyLine> lines;
  /// Lines that join boxes of one level, or what is inside of them.
  std::map<uint32_t, std::vector<uint32_t>> linesOfLevel;
  std::vector<uint32_t> roots;
  Size size;
};

} // namespace

/// A little more than a text takes in the widest of usual fonts.
static double widthOf(StringRef text, double fontSize, bool isBold) {
  double ems = 0;
  for (char c : text) {
    if ((c & 0xC0) == 0x80)
      continue;
    if (StringRef("fijltrI.,:;'|!()[]-/ ").contains(c))
      ems += 0.42;
    else if (StringRef("mwMW@%").contains(c) || c < 0)
      ems += 1.0;
    else
      ems += llvm::isUpper(c) ? 0.78 : 0.66;
  }
  return ems * fontSize * (isBold ? 1.04 : 0.95);
}

/// As the viewer's shorten() does it.
static std::string shortened(StringRef text, size_t length) {
  if (text.size() <= length)
    return text.str();
  return (text.take_front(length - 20) + "-" + text.take_back(19)).str();
}

static uint32_t numberIn(const Object &object, StringRef key, size_t end) {
  int64_t number = object.getInteger(key).value_or(-1);
  return number < 0 || size_t(number) >= end ? nobody : uint32_t(number);
}

Topology::Topology(const Object &plan, const Object *graph)
    : families(plan.getArray("families")) {
  if (!families)
    return;
  boxOf.assign(families->size(), nobody);
  collectBoxes(plan);
  findParents(graph);
  findNamedParents();
  breakCycles();
  for (uint32_t i = 0; i != boxes.size(); ++i)
    (boxes[i].parent == nobody ? roots : boxes[boxes[i].parent].inside)
        .push_back(i);
  collectLines();
}

/// The service is shown if there is something for it to do.
void Topology::collectBoxes(const Object &plan) {
  std::vector<bool> hasSteps(families->size());
  if (const Array *steps = plan.getArray("boxes"))
    for (const llvm::json::Value &each : *steps)
      if (const Object *box = each.getAsObject())
        if (uint32_t family = numberIn(*box, "family", families->size());
            family != nobody)
          hasSteps[family] = true;
  for (auto [i, value] : llvm::enumerate(*families)) {
    const Object *family = value.getAsObject();
    StringRef kind = family ? family->getString("kind").value_or("") : "";
    int64_t count = family ? family->getInteger("count").value_or(0) : 0;
    if (kind.empty() || kind == "relationship" ||
        (kind != "node" && (count == 0 || (kind == "service" && !hasSteps[i]))))
      continue;
    boxOf[i] = boxes.size();
    TopologyBox &box = boxes.emplace_back();
    box.family = i;
    box.name = family->getString("name").value_or("");
    box.title = (shortened(family->getString("own").value_or(box.name), 34) +
                 " + x" + llvm::Twine(count))
                    .str();
    box.subtitle = family->getString("type").value_or("").str();
  }
}

/// What is inside of what by relationships that contain.
void Topology::findParents(const Object *graph) {
  llvm::StringSet<> containments;
  if (const Array *all = graph ? graph->getArray("requirements") : nullptr)
    for (const llvm::json::Value &each : *all)
      if (const Object *requirement = each.getAsObject())
        if (requirement->getBoolean("containment").value_or(false))
          containments.insert(requirement->getString("name").value_or(""));
  for (const llvm::json::Value &each : *families) {
    const Object *family = each.getAsObject();
    if (!family ||
        !containments.contains(family->getString("name").value_or("")))
      continue;
    const Array *targets = family->getArray("targets");
    uint32_t source = numberIn(*family, "source", boxOf.size());
    if (!targets || targets->size() != 1 || source == nobody ||
        boxOf[source] == nobody)
      continue;
    const Object *bundle = targets->front().getAsObject();
    uint32_t target =
        bundle ? numberIn(*bundle, "family", boxOf.size()) : nobody;
    TopologyBox &box = boxes[boxOf[source]];
    if (target == nobody || boxOf[target] == nobody || box.parent != nobody)
      continue;
    box.parent = boxOf[target];
    box.subtitle +=
        (" " + family->getString("own").value_or("") + " 3 pairs").str();
  }
}

/// Front ends name what is part of a node after it: `db/vm` stands for `db`,
/// `database.mysql` is a job of `database`.
void Topology::findNamedParents() {
  llvm::StringMap<uint32_t> byName;
  for (uint32_t i = 0; i != boxes.size(); ++i)
    byName[boxes[i].name] = i;
  for (TopologyBox &box : boxes)
    for (StringRef rest = box.name; box.parent == nobody;) {
      size_t end = rest.find_last_of("/.");
      if (end == StringRef::npos)
        break;
      rest = rest.take_front(end);
      if (auto found = byName.find(rest); found != byName.end())
        box.parent = found->second;
    }
}

/// Who would be inside of itself is outside.
void Topology::breakCycles() {
  std::vector<uint32_t> seen(boxes.size(), nobody);
  for (uint32_t start = 0; start != boxes.size(); ++start)
    for (uint32_t at = start; at != nobody && seen[at] == nobody;
         at = boxes[at].parent) {
      seen[at] = start;
      uint32_t next = boxes[at].parent;
      if (next != nobody && seen[next] == start)
        boxes[at].parent = nobody;
    }
  std::vector<uint32_t> way;
  std::vector<bool> isKnown(boxes.size());
  for (uint32_t start = 0; start != boxes.size(); ++start) {
    for (uint32_t at = start; at != nobody && !isKnown[at];
         at = boxes[at].parent)
      way.push_back(at);
    for (; !way.empty(); way.pop_back()) {
      TopologyBox &box = boxes[way.back()];
      box.depth = box.parent == nobody ? 0 : boxes[box.parent].depth + 1;
      isKnown[way.back()] = true;
    }
  }
}

/// Boxes side by side that contain \p a and \p b.
std::optional<std::pair<uint32_t, uint32_t>>
Topology::siblings(uint32_t a, uint32_t b) const {
  while (boxes[a].depth > boxes[b].depth)
    a = boxes[a].parent;
  while (boxes[b].depth > boxes[a].depth)
    b = boxes[b].parent;
  while (a != b && boxes[a].parent != boxes[b].parent) {
    a = boxes[a].parent;
    b = boxes[b].parent;
  }
  if (a == b)
    return std::nullopt;
  return std::pair(a, b);
}

void Topology::collectLines() {
  for (auto [i, each] : llvm::enumerate(*families)) {
    const Object *family = each.getAsObject();
    const Array *targets = family ? family->getArray("targets") : nullptr;
    uint32_t source =
        family ? numberIn(*family, "source", boxOf.size()) : nobody;
    if (!targets || source == nobody || boxOf[source] == nobody)
      continue;
    for (auto [k, target] : llvm::enumerate(*targets)) {
      const Object *bundle = target.getAsObject();
      uint32_t end =
          bundle ? numberIn(*bundle, "family", boxOf.size()) : nobody;
      if (end == nobody || boxOf[end] == nobody)
        continue;
      uint32_t from = boxOf[source], to = boxOf[end];
      if (auto sides = siblings(from, to))
        linesOfLevel[boxes[sides->first].parent].push_back(lines.size());
      lines.push_back(
          {uint32_t(i),
           uint32_t(k),
           from,
           to,
           shortened(family->getString("own").value_or(""), 24) + " 00 pairs",
           {},
           {}});
    }
  }
}

void Topology::measure(TopologyBox &box) {
  double title = widthOf(box.title, 14, true) + 24;
  double subtitle = widthOf(shortened(box.subtitle, 44), 12, false);
  double inner = box.inside.empty() ? 0 : box.inner.width + 2 * padding;
  box.shape.size = {std::max({minWidth, std::max(title, subtitle) + 38, inner}),
                    headHeight +
                        (box.inside.empty() ? 0 : box.inner.height + padding)};
}

/// How wide the picture inside of \p parent may be.
double Topology::limitOf(uint32_t parent) const {
  bool isLarge = boxes.size() > manyBoxes;
  if (parent == nobody)
    return isLarge ? 1800 : 960;
  return isLarge ? 540
                 : std::max(480.0, 928 - 2 * padding * boxes[parent].depth);
}

void Topology::placeInside(uint32_t parent,
                           llvm::ArrayRef<uint32_t> boxesInside) {
  std::vector<Shape> shapes;
  llvm::DenseMap<uint32_t, uint32_t> numbers;
  for (uint32_t box : boxesInside) {
    numbers[box] = shapes.size();
    shapes.push_back(boxes[box].shape);
  }
  std::vector<Connection> connections;
  std::vector<uint32_t> &level = linesOfLevel[parent];
  for (uint32_t line : level) {
    auto [a, b] = *siblings(lines[line].from, lines[line].to);
    bool isDirect = a == lines[line].from && b == lines[line].to;
    double labelWidth = isDirect && lines.size() <= maxLabels
                            ? widthOf(lines[line].label, 12, false) + 14
                            : 0;
    connections.push_back({numbers[a], numbers[b], labelWidth, {}, {}});
  }
  Size all = layOut(shapes, connections, limitOf(parent));
  for (auto [i, box] : llvm::enumerate(boxesInside))
    boxes[box].shape = shapes[i];
  for (auto [i, number] : llvm::enumerate(level)) {
    TopologyLine &line = lines[number];
    auto [a, b] = *siblings(line.from, line.to);
    if (a != line.from || b != line.to)
      continue;
    line.way = std::move(connections[i].way);
    line.labelAt = connections[i].label;
  }
  (parent == nobody ? size : boxes[parent].inner) = all;
}

/// What is inside first, since its size is a part of what is around.
void Topology::place() {
  std::vector<uint32_t> order(boxes.size());
  for (uint32_t i = 0; i != boxes.size(); ++i)
    order[i] = i;
  llvm::stable_sort(order, [&](uint32_t a, uint32_t b) {
    return boxes[a].depth > boxes[b].depth;
  });
  for (uint32_t i : order) {
    if (!boxes[i].inside.empty())
      placeInside(i, boxes[i].inside);
    measure(boxes[i]);
  }
  placeInside(nobody, roots);
  auto startOf = [&](uint32_t parent) -> Point {
    if (parent == nobody)
      return {};
    const TopologyBox &box = boxes[parent];
    return {box.absolute.x + (box.shape.size.width - box.inner.width) / 2,
            box.absolute.y + headHeight};
  };
  for (uint32_t i : llvm::reverse(order)) {
    Point start = startOf(boxes[i].parent);
    boxes[i].absolute = {start.x + boxes[i].shape.at.x,
                         start.y + boxes[i].shape.at.y};
  }
  for (TopologyLine &line : lines) {
    Point start = startOf(boxes[line.from].parent);
    for (Point &point : line.way)
      point = {start.x + point.x, start.y + point.y};
    if (line.labelAt)
      line.labelAt =
          Point{start.x + line.labelAt->x, start.y + line.labelAt->y};
  }
}

static void writePixels(JSONWriter &json, double pixels) {
  json.value(int64_t(pixels + 0.5));
}

static void writePoint(JSONWriter &json, Point point) {
  writePixels(json, point.x);
  writePixels(json, point.y);
}

void Topology::write(llvm::raw_ostream &os) const {
  JSONWriter json(os);
  json.object([&] {
    json.attributeBegin("size");
    json.array([&] { writePoint(json, {size.width, size.height}); });
    json.attributeBegin("boxes");
    json.array([&] {
      for (const TopologyBox &box : boxes) {
        json.newLine();
        json.object([&] {
          json.attribute("family", box.family);
          if (box.parent != nobody)
            json.attribute("inside", boxes[box.parent].family);
          json.attributeBegin("at");
          json.array([&] {
            writePoint(json, box.absolute);
            writePoint(json, {box.shape.size.width, box.shape.size.height});
          });
        });
      }
    });
    json.newLine();
    json.attributeBegin("lines");
    json.array([&] {
      for (const TopologyLine &line : lines) {
        if (line.way.empty())
          continue;
        json.newLine();
        json.object([&] {
          json.attribute("family", line.family);
          json.attribute("target", line.target);
          json.attributeBegin("way");
          json.array([&] {
            for (Point point : line.way)
              writePoint(json, point);
          });
          if (!line.labelAt)
            return;
          json.attributeBegin("label");
          json.array([&] { writePoint(json, *line.labelAt); });
        });
      }
    });
  });
}

std::string page::layOutTopology(StringRef plan, StringRef graph) {
  auto parse = [](StringRef text) -> std::optional<llvm::json::Value> {
    llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
    if (value)
      return std::move(*value);
    llvm::consumeError(value.takeError());
    return std::nullopt;
  };
  std::optional<llvm::json::Value> planValue = parse(plan);
  std::optional<llvm::json::Value> graphValue = parse(graph);
  const Object *planObject = planValue ? planValue->getAsObject() : nullptr;
  if (!planObject)
    return "";
  Topology topology(*planObject,
                    graphValue ? graphValue->getAsObject() : nullptr);
  topology.place();
  std::string text;
  llvm::raw_string_ostream os(text);
  topology.write(os);
  return text;
}
