//===- LayOutByGraphviz.cpp - Boxes and lines by Graphviz -----------------===//

#include "GraphvizLibrary.h"
#include "Layout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <mutex>

using namespace toscac;
using namespace toscac::page;
using llvm::StringRef;

/// Its points are pixels here; it takes sizes in inches.
static constexpr double pointsPerInch = 72;
/// Of a label.
static constexpr int labelHeight = 20;

namespace {

/// A graph that Graphviz has laid out.
class LaidOut {
public:
  LaidOut(const GraphvizLibrary &library, const std::string &text)
      : library(library), graph(library.agmemread(text.c_str())),
        isDone(graph && library.gvLayout(library.context, graph, "dot") == 0) {}
  LaidOut(const LaidOut &) = delete;
  LaidOut &operator=(const LaidOut &) = delete;
  ~LaidOut() {
    if (isDone)
      library.gvFreeLayout(library.context, graph);
    if (graph)
      library.agclose(graph);
  }

  std::optional<llvm::json::Value> read() const {
    char *data = nullptr;
    unsigned length = 0;
    if (!isDone || library.gvRenderData(library.context, graph, "json0", &data,
                                        &length) != 0)
      return std::nullopt;
    llvm::Expected<llvm::json::Value> value =
        llvm::json::parse(StringRef(data, length));
    library.gvFreeRenderData(data);
    if (value)
      return std::move(*value);
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }

private:
  const GraphvizLibrary &library;
  Agraph_t *graph;
  bool isDone;
};

} // namespace

static std::string describeGraph(llvm::ArrayRef<Shape> shapes,
                                 llvm::ArrayRef<Connection> lines,
                                 bool sideways) {
  std::string text;
  llvm::raw_string_ostream os(text);
  // Names that get no room of their own stand between layers.
  bool hasNames = llvm::any_of(
      lines, [](const Connection &line) { return line.labelWidth > 0; });
  os << "digraph g { graph [nodesep=0.4, nslimit=2, nslimit1=2, ranksep="
     << (hasNames ? "0.55" : "1.1") << (sideways ? ", rankdir=LR" : "")
     << "]; node [shape=box, label=\"\", fixedsize=true]; "
        "edge [arrowhead=none];\n";
  for (auto [i, shape] : llvm::enumerate(shapes))
    os << llvm::formatv("n{0} [id={0}, width={1:f4}, height={2:f4}];\n", i,
                        shape.size.width / pointsPerInch,
                        shape.size.height / pointsPerInch);
  for (auto [i, line] : llvm::enumerate(lines)) {
    os << 'n' << line.from << " -> n" << line.to << " [id=" << i;
    if (line.labelWidth > 0)
      os << ", label=<<TABLE BORDER=\"0\" FIXEDSIZE=\"TRUE\" WIDTH=\""
         << int(line.labelWidth) << "\" HEIGHT=\"" << labelHeight
         << "\"><TR><TD></TD></TR></TABLE>>";
    os << "];\n";
  }
  os << "}\n";
  return text;
}

/// Numbers between commas and blanks.
static std::vector<double> numbersIn(std::optional<StringRef> text) {
  std::vector<double> numbers;
  StringRef rest = text.value_or("");
  while (!rest.empty()) {
    StringRef word =
        rest.take_until([](char c) { return c == ',' || c == ' '; });
    rest = rest.drop_front(std::min(word.size() + 1, rest.size()));
    double number = 0;
    if (!word.getAsDouble(number))
      numbers.push_back(number);
  }
  return numbers;
}

/// Calls \p visit with each of \p key and the number that it was given.
template <typename Visit>
static void forEach(const llvm::json::Object &root, StringRef key, size_t count,
                    Visit visit) {
  const llvm::json::Array *all = root.getArray(key);
  if (!all)
    return;
  for (const llvm::json::Value &each : *all) {
    const llvm::json::Object *object = each.getAsObject();
    uint32_t number = 0;
    if (object &&
        !object->getString("id").value_or("").getAsInteger(10, number) &&
        number < count)
      visit(number, *object);
  }
}

std::optional<Size>
page::layOutByGraphviz(llvm::MutableArrayRef<Shape> shapes,
                       llvm::MutableArrayRef<Connection> lines, bool sideways) {
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  const GraphvizLibrary *library = graphvizLibrary();
  if (!library)
    return std::nullopt;
  std::optional<llvm::json::Value> drawn =
      LaidOut(*library, describeGraph(shapes, lines, sideways)).read();
  const llvm::json::Object *root = drawn ? drawn->getAsObject() : nullptr;
  std::vector<double> box =
      root ? numbersIn(root->getString("bb")) : std::vector<double>();
  if (box.size() != 4)
    return std::nullopt;
  double height = box[3];
  forEach(*root, "objects", shapes.size(), [&](uint32_t i, const auto &object) {
    std::vector<double> at = numbersIn(object.getString("pos"));
    if (at.size() == 2)
      shapes[i].at = {at[0] - shapes[i].size.width / 2,
                      height - at[1] - shapes[i].size.height / 2};
  });
  auto pointsOf = [&](std::optional<StringRef> text) {
    std::vector<double> numbers = numbersIn(text);
    std::vector<Point> points;
    for (size_t i = 0; i + 1 < numbers.size(); i += 2)
      points.push_back({numbers[i], height - numbers[i + 1]});
    return points;
  };
  forEach(*root, "edges", lines.size(), [&](uint32_t i, const auto &object) {
    lines[i].way = pointsOf(object.getString("pos"));
    std::vector<Point> label = pointsOf(object.getString("lp"));
    lines[i].label.reset();
    if (!label.empty())
      lines[i].label = label.front();
  });
  return Size{box[2], height};
}
