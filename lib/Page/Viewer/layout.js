// Where boxes go: graphs layer by layer, and the states of a machine in a line.

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

// Orders each layer by where the neighbours of its nodes are.
function sortRows(rows, neighbours) {
  const place = new Map();
  const note = (row) => row.forEach((node, i) => place.set(node, (i + 0.5) / row.length));
  rows.forEach(note);
  const center = (node) => {
    const near = neighbours[node];
    return near.length ? near.reduce((sum, each) => sum + place.get(each), 0) / near.length : place.get(node);
  };
  for (let sweep = 0; sweep < 6; ++sweep)
    for (const row of sweep % 2 ? [...rows].reverse() : rows) {
      const keys = new Map(row.map((node) => [node, center(node)]));
      row.sort((a, b) => keys.get(a) - keys.get(b));
      note(row);
    }
}

// Rows that are wider than `limit` go on in the next.
function wrapRows(rows, nodes, gap, limit) {
  return rows.flatMap((row) => {
    const result = [[]];
    let width = 0;
    for (const node of row) {
      if (width && width + nodes[node].width > limit) {
        result.push([]);
        result[result.length - 1].goesOn = true;
        width = 0;
      }
      result[result.length - 1].push(node);
      width += nodes[node].width + gap;
    }
    return result;
  });
}

// Sets x and y of `nodes`, which have width and height; gives the size of all.
export function layered(nodes, edges, { gapX = 36, gapY = 64, limit = 1100 } = {}) {
  const layer = layersOf(nodes.length, edges);
  const neighbours = nodes.map(() => []);
  for (const { from, to } of edges) {
    neighbours[from].push(to);
    neighbours[to].push(from);
  }
  let rows = [];
  const alone = [];
  nodes.forEach((node, i) => {
    if (neighbours[i].length === 0) alone.push(i);
    else (rows[layer[i]] ??= []).push(i);
  });
  rows = rows.filter(Boolean);
  sortRows(rows, neighbours);
  rows = wrapRows(rows, nodes, gapX, limit);
  const linked = rows.length;
  if (alone.length) rows.push(...wrapRows([alone], nodes, gapX / 2, limit));
  const widthOf = (row, gap) => row.reduce((sum, i) => sum + nodes[i].width, 0) + gap * (row.length - 1);
  const gapOf = (i) => (i < linked ? gapX : gapX / 2);
  const width = Math.max(0, ...rows.map((row, i) => widthOf(row, gapOf(i))));
  let y = 0;
  rows.forEach((row, number) => {
    let x = number < linked ? (width - widthOf(row, gapOf(number))) / 2 : 0;
    const height = Math.max(...row.map((i) => nodes[i].height));
    for (const i of row) {
      nodes[i].x = x;
      nodes[i].y = y;
      x += nodes[i].width + gapOf(number);
    }
    y += height + (number + 1 < linked && !rows[number + 1].goesOn ? gapY : gapX / 2);
  });
  return { width, height: rows.length ? y - gapX / 2 : 0 };
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
