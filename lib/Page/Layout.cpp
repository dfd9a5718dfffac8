//===- Layout.cpp - Where boxes of a graph stand --------------------------===//

#include "Layout.h"

#include "toscac/Basic/CsrGraph.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>
#include <numeric>

using namespace toscac;
using namespace toscac::page;

/// Graphviz takes milliseconds for so many, and minutes for ten times more.
static constexpr size_t maxShapes = 150;
static constexpr size_t maxConnections = 400;

static constexpr double gapX = 36;
static constexpr double gapY = 64;
static constexpr double narrowGap = 18;
static constexpr unsigned sweeps = 6;

namespace {

using Row = std::vector<uint32_t>;

/// Layer by layer, those of the longest way first; what is connected to nothing
/// comes last.
class Rows {
public:
  Rows(llvm::MutableArrayRef<Shape> shapes, llvm::ArrayRef<Connection> lines,
       double limit);
  Size place();

private:
  void collectLayers(llvm::ArrayRef<Connection> lines);
  void sort();
  void notePlaces(const Row &row);
  double centerOf(uint32_t shape) const;
  std::vector<Row> wrap(const Row &row, double gap) const;
  void append(const std::vector<Row> &wrapped, double gap, bool isCentered);
  double widthOf(const Row &row, double gap) const;

  /// A row as it is drawn.
  struct Line {
    Row row;
    double gap;
    bool isCentered;
    /// Down to the next one.
    double below;
  };

  llvm::MutableArrayRef<Shape> shapes;
  double limit;
  std::vector<std::vector<uint32_t>> neighbours;
  std::vector<Row> layers;
  Row alone;
  /// From 0, left, to 1, within its layer.
  std::vector<double> places;
  std::vector<Line> drawn;
};

} // namespace

Rows::Rows(llvm::MutableArrayRef<Shape> shapes,
           llvm::ArrayRef<Connection> lines, double limit)
    : shapes(shapes), limit(limit), neighbours(shapes.size()),
      places(shapes.size()) {
  collectLayers(lines);
  sort();
  for (const Row &layer : layers)
    append(wrap(layer, gapX), gapX, /*isCentered=*/true);
  if (!alone.empty())
    append(wrap(alone, narrowGap), narrowGap, /*isCentered=*/false);
}

void Rows::collectLayers(llvm::ArrayRef<Connection> lines) {
  std::vector<CsrGraph::Edge> edges;
  for (const Connection &line : lines) {
    if (line.from == line.to)
      continue;
    edges.push_back({line.from, line.to});
    neighbours[line.from].push_back(line.to);
    neighbours[line.to].push_back(line.from);
  }
  std::vector<uint32_t> layerOf = longestWays(CsrGraph(shapes.size(), edges));
  std::map<uint32_t, Row> byLayer;
  for (uint32_t i = 0; i != shapes.size(); ++i)
    (neighbours[i].empty() ? alone : byLayer[layerOf[i]]).push_back(i);
  for (auto &[number, row] : byLayer)
    layers.push_back(std::move(row));
}

void Rows::notePlaces(const Row &row) {
  for (auto [i, shape] : llvm::enumerate(row))
    places[shape] = (double(i) + 0.5) / double(row.size());
}

double Rows::centerOf(uint32_t shape) const {
  double sum = 0;
  for (uint32_t other : neighbours[shape])
    sum += places[other];
  return sum / double(neighbours[shape].size());
}

/// Puts each shape where its neighbours are.
void Rows::sort() {
  for (const Row &layer : layers)
    notePlaces(layer);
  std::vector<double> centers(shapes.size());
  for (unsigned sweep = 0; sweep != sweeps; ++sweep) {
    std::reverse(layers.begin(), layers.end());
    for (Row &layer : layers) {
      for (uint32_t shape : layer)
        centers[shape] = centerOf(shape);
      std::stable_sort(layer.begin(), layer.end(), [&](uint32_t a, uint32_t b) {
        return centers[a] < centers[b];
      });
      notePlaces(layer);
    }
  }
}

std::vector<Row> Rows::wrap(const Row &row, double gap) const {
  std::vector<Row> result(1);
  double width = 0;
  for (uint32_t shape : row) {
    if (width > 0 && width + shapes[shape].size.width > limit) {
      result.emplace_back();
      width = 0;
    }
    result.back().push_back(shape);
    width += shapes[shape].size.width + gap;
  }
  return result;
}

void Rows::append(const std::vector<Row> &wrapped, double gap,
                  bool isCentered) {
  for (const Row &row : wrapped)
    drawn.push_back({row, gap, isCentered, narrowGap});
  drawn.back().below = gapY;
}

double Rows::widthOf(const Row &row, double gap) const {
  double width = -gap;
  for (uint32_t shape : row)
    width += shapes[shape].size.width + gap;
  return width;
}

Size Rows::place() {
  Size all;
  for (const Line &line : drawn)
    all.width = std::max(all.width, widthOf(line.row, line.gap));
  double y = 0;
  for (const Line &line : drawn) {
    double x =
        line.isCentered ? (all.width - widthOf(line.row, line.gap)) / 2 : 0;
    double height = 0;
    for (uint32_t shape : line.row) {
      shapes[shape].at = {x, y};
      x += shapes[shape].size.width + line.gap;
      height = std::max(height, shapes[shape].size.height);
    }
    all.height = y + height;
    y += height + line.below;
  }
  return all;
}

/// The ways to draw that fit: with room for the names of lines, or without.
static std::optional<Size> drawWithin(double limit,
                                      llvm::MutableArrayRef<Shape> shapes,
                                      llvm::MutableArrayRef<Connection> lines) {
  for (bool hasNames : {true, false}) {
    for (Connection &line : lines)
      line.labelWidth = hasNames ? line.labelWidth : 0;
    for (bool sideways : {false, true}) {
      std::optional<Size> size = layOutByGraphviz(shapes, lines, sideways);
      if (!size || size->width <= limit)
        return size;
    }
  }
  return std::nullopt;
}

/// Lets Graphviz place what is connected, and puts the rest below.
static std::optional<Size>
placeByGraphviz(llvm::MutableArrayRef<Shape> shapes,
                llvm::MutableArrayRef<Connection> connections, double limit) {
  std::vector<bool> isLinked(shapes.size());
  for (const Connection &line : connections)
    isLinked[line.from] = isLinked[line.to] = true;
  std::vector<uint32_t> order(shapes.size()), numberOf(shapes.size());
  std::iota(order.begin(), order.end(), 0);
  auto middle = std::stable_partition(order.begin(), order.end(),
                                      [&](uint32_t i) { return isLinked[i]; });
  std::vector<Shape> ordered;
  for (auto [i, shape] : llvm::enumerate(order)) {
    numberOf[shape] = i;
    ordered.push_back(shapes[shape]);
  }
  std::vector<Connection> lines(connections.begin(), connections.end());
  for (Connection &line : lines) {
    line.from = numberOf[line.from];
    line.to = numberOf[line.to];
  }
  auto [linked, alone] = std::pair(
      llvm::MutableArrayRef(ordered).take_front(middle - order.begin()),
      llvm::MutableArrayRef(ordered).drop_front(middle - order.begin()));
  std::optional<Size> size = drawWithin(limit, linked, lines);
  if (!size)
    return std::nullopt;
  if (!alone.empty()) {
    Size below = Rows(alone, {}, std::max(limit, size->width)).place();
    for (Shape &shape : alone)
      shape.at.y += size->height + gapX;
    size = Size{std::max(size->width, below.width),
                size->height + gapX + below.height};
  }
  for (auto [i, shape] : llvm::enumerate(order))
    shapes[shape].at = ordered[i].at;
  for (auto [i, line] : llvm::enumerate(connections)) {
    line.way = std::move(lines[i].way);
    line.label = lines[i].label;
  }
  return size;
}

Size page::layOut(llvm::MutableArrayRef<Shape> shapes,
                  llvm::MutableArrayRef<Connection> connections, double limit) {
  if (!connections.empty() && shapes.size() <= maxShapes &&
      connections.size() <= maxConnections)
    if (std::optional<Size> size = placeByGraphviz(shapes, connections, limit))
      return *size;
  return Rows(shapes, connections, limit).place();
}
