// Topology: a box for each template, inside of what contains it, and lines for
// relationships. Boxes are buttons, so that keys and screen readers find them.

import { el, foldedTable, plural, shorten, svg, table } from './dom.js';
import { containers, multiplicity, plan, templateOf } from './data.js';
import { layered } from './layout.js';
import { familyDetails } from './details.js';

const headHeight = 50;
const padding = 16;
const maxLabels = 40;
const manyBoxes = 60;

const context = document.createElement('canvas').getContext('2d');

function textWidth(text, font) {
  context.font = `${font} ${getComputedStyle(document.body).fontFamily}`;
  return context.measureText(text).width;
}

// The type, and how it is inside of its container.
function subtitleOf(family, number, container) {
  const inside = plan.families.find((each) => each.kind === 'relationship' && each.source === number && each.targets[0]?.family === container);
  return inside ? `${family.type} · ${inside.own} ${multiplicity(inside.targets[0])}` : family.type ?? '';
}

// Boxes with those inside of them, and the lines between.
function collect() {
  const parents = containers();
  const nodes = new Map();
  plan.families.forEach((family, i) => {
    if (family.kind !== 'relationship' && (family.kind === 'node' || family.count))
      nodes.set(i, { family, number: i, inside: [] });
  });
  const roots = [];
  for (const node of nodes.values()) {
    if (node.family.kind === 'service' && ![...plan.boxes].some((box) => box.family === node.number)) continue;
    const parent = nodes.get(parents.get(node.number));
    node.parent = parent;
    node.subtitle = shorten(subtitleOf(node.family, node.number, parent?.number), 44);
    (parent ? parent.inside : roots).push(node);
  }
  const lines = [];
  plan.families.forEach((family, i) => {
    if (family.kind !== 'relationship') return;
    for (const target of family.targets) {
      const [from, to] = [nodes.get(family.source), nodes.get(target.family)];
      if (from && to && from.parent !== to) lines.push({ from, to, family, number: i, target });
    }
  });
  return { roots, nodes, lines };
}

function isInside(node, around) {
  for (; node; node = node.parent) if (node === around) return true;
  return false;
}

// Gives `node`, or what it is inside of, among `siblings`.
function among(siblings, node) {
  for (; node; node = node.parent) {
    const place = siblings.indexOf(node);
    if (place >= 0) return place;
  }
  return -1;
}

function measure(siblings, lines, limit) {
  for (const node of siblings) {
    const title = Math.max(textWidth(shorten(node.family.own ?? node.family.name, 34), '600 14px') + textWidth(`×${node.family.count}`, '13px') + 24,
      textWidth(node.subtitle, '12px'));
    const inner = node.inside.length ? measure(node.inside, lines, Math.max(480, limit - 2 * padding)) : { width: 0, height: 0 };
    node.width = Math.ceil(Math.max(132, title + 38, inner.width + 2 * padding));
    node.height = headHeight + (node.inside.length ? inner.height + padding : 0);
    node.inner = inner;
  }
  const edges = [];
  for (const { from, to } of lines) {
    const [a, b] = [among(siblings, from), among(siblings, to)];
    if (a >= 0 && b >= 0 && a !== b) edges.push({ from: a, to: b });
  }
  return layered(siblings, edges, siblings.length > manyBoxes ? { limit: Math.max(limit, 1800), gapX: 20, gapY: 44 } : { limit });
}

function place(siblings, x, y) {
  for (const node of siblings) {
    node.left = x + node.x;
    node.top = y + node.y;
    place(node.inside, node.left + (node.width - node.inner.width) / 2, node.top + headHeight);
  }
}

// From the edge of one box to that of the other, curved.
function route(from, to) {
  const start = { x: from.left + from.width / 2, y: from.top + from.height };
  const end = { x: to.left + to.width / 2, y: to.top };
  if (end.y >= start.y) {
    const bend = Math.max(24, (end.y - start.y) / 2);
    return [start, { x: start.x, y: start.y + bend }, { x: end.x, y: end.y - bend }, end];
  }
  const right = from.left < to.left;
  const a = { x: right ? from.left + from.width : from.left, y: from.top + headHeight / 2 };
  const b = { x: right ? to.left : to.left + to.width, y: to.top + headHeight / 2 };
  if (right ? b.x > a.x : b.x < a.x) {
    const bend = (b.x - a.x) / 2;
    return [a, { x: a.x + bend, y: a.y }, { x: b.x - bend, y: b.y }, b];
  }
  const side = Math.max(from.left + from.width, to.left + to.width);
  return [{ x: from.left + from.width, y: a.y }, { x: side + 60, y: a.y }, { x: side + 60, y: b.y }, { x: to.left + to.width, y: b.y }];
}

function pointOn([a, b, c, d], t) {
  const s = 1 - t;
  const mix = (key) => s * s * s * a[key] + 3 * s * s * t * b[key] + 3 * s * t * t * c[key] + t * t * t * d[key];
  return { x: mix('x'), y: mix('y') };
}

function overlaps(a, b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

// Where the label of a line covers neither a box nor another label.
function placeLabel(curve, width, taken) {
  let best;
  for (const t of [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82]) {
    const { x, y } = pointOn(curve, t);
    const label = { x: x - width / 2, y: y - 10, width, height: 20 };
    best ??= label;
    if (!taken.some((other) => overlaps(label, other))) return taken.push(label), label;
  }
  taken.push(best);
  return best;
}

function changeSign(family) {
  const [change] = Object.keys(family.changes ?? {});
  return { new: '+', updated: '~', replaced: '!', gone: '−' }[change] ?? '';
}

export function topologyView(go) {
  const { roots, nodes, lines } = collect();
  const size = measure(roots, lines, 1060);
  place(roots, 12, 12);
  const canvas = el('div', { class: 'canvas' });
  const panel = el('aside', { class: 'panel', 'aria-label': 'Details', tabindex: -1 });
  const buttons = new Map();
  const picture = svg('svg', { class: 'lines', width: size.width + 100, height: size.height + 40, 'aria-hidden': 'true' },
    svg('defs', {}, svg('marker', { id: 'arrow', viewBox: '0 0 8 8', refX: 7.5, refY: 4, markerWidth: 10, markerHeight: 10, markerUnits: 'userSpaceOnUse', orient: 'auto' },
      svg('path', { d: 'M0 0.5 L8 4 L0 7.5 z' }))));
  canvas.style.width = `${size.width + 100}px`;
  canvas.style.height = `${size.height + 40}px`;

  const addBoxes = (siblings, depth) => {
    for (const node of siblings) {
      const { family } = node;
      const button = el('button', { type: 'button', class: `box depth${depth % 3}${node.inside.length ? ' outer' : ''}`, title: family.name,
        'data-family': node.number, onclick: () => go('topology', node.number) },
        el('span', { class: 'name' }, el('b', {}, shorten(family.own ?? family.name, 34)), el('span', { class: 'count' }, changeSign(family) ? el('i', { class: 'sign' }, changeSign(family)) : null, `×${family.count.toLocaleString('en')}`)),
        el('span', { class: 'type' }, node.subtitle));
      Object.assign(button.style, { left: `${node.left}px`, top: `${node.top}px`, width: `${node.width}px`, height: `${headHeight}px` });
      if (node.inside.length) {
        const frame = el('div', { class: `frame depth${depth % 3}` });
        Object.assign(frame.style, { left: `${node.left}px`, top: `${node.top}px`, width: `${node.width}px`, height: `${node.height}px` });
        canvas.append(frame);
      }
      buttons.set(node.number, button);
      addBoxes(node.inside, depth + 1);
    }
  };
  addBoxes(roots, 0);
  canvas.append(picture);
  const taken = [...nodes.values()].filter((node) => node.left !== undefined)
    .map((node) => ({ x: node.left, y: node.top, width: node.width, height: headHeight }));
  const drawn = lines.filter(({ from, to }) => from.left !== undefined && to.left !== undefined && !isInside(to, from));
  for (const line of drawn) {
    const curve = route(line.from, line.to);
    const [a, b, c, d] = curve;
    const path = svg('path', { class: 'line', d: `M${a.x} ${a.y} C${b.x} ${b.y} ${c.x} ${c.y} ${d.x} ${d.y}`, 'marker-end': 'url(#arrow)' });
    const text = `${shorten(line.family.own, 24)} ${multiplicity(line.target)}`;
    const width = textWidth(text, '12px') + 14;
    const { x, y } = placeLabel(curve, width, taken);
    line.shown = [path, svg('g', { class: 'label' }, svg('rect', { x, y, width, height: 20, rx: 10 }), svg('text', { x: x + width / 2, y: y + 14 }, text))];
    picture.append(path);
  }
  // Lines lie below all labels.
  for (const { shown } of drawn) picture.append(shown[1]);
  if (drawn.length > maxLabels) picture.classList.add('many');
  canvas.append(...buttons.values());

  const mark = (number) => {
    for (const [id, button] of buttons) {
      button.setAttribute('aria-pressed', id === number);
      button.classList.toggle('selected', id === number);
    }
    for (const line of drawn)
      for (const part of line.shown) part.classList.toggle('selected', line.number === number || line.from.number === number || line.to.number === number);
  };
  const select = (number) => {
    mark(number);
    panel.replaceChildren(...(number === undefined ? [el('p', { class: 'muted' }, 'Choose a box to see its instances, properties and where it is defined.')] : familyDetails(number, go).filter(Boolean)));
    buttons.get(number)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  canvas.addEventListener('keydown', (event) => moveFocus(event, buttons));
  select();

  const asTable = foldedTable('Topology as a table', () => el('div', {},
    table('Templates', ['Template', 'Type', 'Instances', 'Names', 'Inside of', 'Defined'], [...nodes.values()].map(({ family, parent }) =>
      [family.name, family.type, family.count, shorten(family.folded ?? ''), parent?.family.name ?? '', templateOf(family)?.place ?? ''])),
    table('Relationships', ['Requirement', 'Type', 'Leads to', 'How many'], plan.families.filter((family) => family.kind === 'relationship').flatMap((family) =>
      family.targets.map((target) => [family.name, family.type, plan.families[target.family].name, multiplicity(target)])))));
  const nodeCount = [...nodes.values()].filter(({ family }) => family.kind === 'node');
  return {
    element: el('div', { class: 'view' },
      el('div', { class: 'main' },
        el('p', { class: 'lead' }, `${plural(nodeCount.length, 'template')}, ${plural(nodeCount.reduce((sum, { family }) => sum + family.count, 0), 'instance')}, ${plural(plan.families.filter((family) => family.kind === 'relationship').reduce((sum, family) => sum + family.count, 0), 'relationship')}`,
          drawn.length > maxLabels ? '; lines get their names when a box is chosen' : ''),
        el('div', { class: 'scroll picture', tabindex: 0, role: 'region', 'aria-label': 'Topology' }, canvas), asTable),
      panel),
    select,
  };
}

// Arrow keys go to the nearest box in their direction.
export function moveFocus(event, buttons) {
  const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  const all = [...buttons.values()].filter((button) => button.offsetParent !== null);
  if (!direction || !all.includes(document.activeElement)) return;
  const center = (button) => {
    const box = button.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };
  const [x, y] = center(document.activeElement);
  let best;
  for (const button of all) {
    const [dx, dy] = center(button).map((value, i) => value - [x, y][i]);
    const along = dx * direction[0] + dy * direction[1];
    const across = Math.abs(dx * direction[1]) + Math.abs(dy * direction[0]);
    if (along <= 1) continue;
    const distance = along + 3 * across;
    if (!best || distance < best.distance) best = { button, distance };
  }
  if (!best) return;
  event.preventDefault();
  best.button.focus();
}
