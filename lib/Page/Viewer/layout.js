// Where things go: what waits for one another layer by layer, and the states of a machine
// in a line.

// Layers of a graph without its cycles: by node, one more than the deepest before it.
export function layersOf(count, edges) {
  const out = Array.from({ length: count }, () => []);
  for (const { from, to } of edges) if (from !== to) out[from].push(to);
  const state = new Array(count).fill(0);
  const order = [];
  const kept = Array.from({ length: count }, () => []);
  for (let root = 0; root < count; ++root) {
    if (state[root]) continue;
    const stack = [[root, 0]];
    state[root] = 1;
    while (stack.length) {
      const top = stack[stack.length - 1];
      const next = out[top[0]][top[1]++];
      if (next === undefined) {
        state[top[0]] = 2;
        order.push(top[0]);
        stack.pop();
      } else if (state[next] !== 1) {
        kept[top[0]].push(next);
        if (!state[next]) {
          state[next] = 1;
          stack.push([next, 0]);
        }
      }
    }
  }
  const layer = new Array(count).fill(0);
  for (const node of order.reverse()) for (const next of kept[node]) layer[next] = Math.max(layer[next], layer[node] + 1);
  return layer;
}

// The first lane in which from..to is free.
function takeLane(lanes, from, to) {
  let lane = lanes.findIndex((taken) => taken.every(([a, b]) => to <= a || b <= from));
  if (lane < 0) lane = lanes.push([]) - 1;
  lanes[lane].push([from, to]);
  return lane;
}

// States in a line, in the order in which they are reached; steps to the next one are
// straight, others go above (forth) or below (back). Gives, by state, its place, and
// by edge { side, lane }, where side 0 is straight.
export function lineUp(initial, values, edges) {
  const order = [initial];
  const seen = new Set(order);
  const plain = edges.filter((edge) => !edge.fails);
  for (const list of [plain, edges])
    for (let i = 0; i < order.length; ++i)
      for (const edge of list)
        if (edge.from === order[i] && !seen.has(edge.to)) {
          seen.add(edge.to);
          order.splice(i + 1 + order.slice(i + 1).filter((each) => plain.some((e) => e.from === order[i] && e.to === each)).length, 0, edge.to);
        }
  for (const value of values) if (!seen.has(value)) order.push(value);
  const place = new Map(order.map((value, i) => [value, i]));
  const lanes = { 1: [], '-1': [] };
  const span = (edge) => Math.abs(place.get(edge.to) - place.get(edge.from));
  const routes = new Map();
  for (const edge of [...edges].sort((a, b) => span(a) - span(b))) {
    const [from, to] = [place.get(edge.from), place.get(edge.to)];
    if (to === from + 1) routes.set(edge, { side: 0, lane: 0 });
    else {
      const side = to > from ? 1 : -1;
      routes.set(edge, { side, lane: takeLane(lanes[side], Math.min(from, to), Math.max(from, to)) });
    }
  }
  return { order, routes, above: lanes[1].length, below: lanes['-1'].length };
}
