// Topology: a box for each template, inside of what contains it, and lines for
// relationships. The data say where boxes stand; they are buttons, so that keys and
// screen readers find them.

import { el, foldedTable, plural, shorten, svg, table } from './dom.js';
import { data, multiplicity, plan, templateOf } from './data.js';
import { familyDetails } from './details.js';

const headHeight = 50;
const margin = 12;
const maxLabels = 40;

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
  const layout = data.layout ?? { size: [0, 0], boxes: [], lines: [] };
  const nodes = new Map(layout.boxes.map(({ family, inside, at: [left, top, width, height] }) =>
    [family, { family: plan.families[family], number: family, outer: inside, inside: [], left: left + margin, top: top + margin, width, height }]));
  const roots = [];
  for (const node of nodes.values()) {
    node.parent = nodes.get(node.outer);
    node.subtitle = shorten(subtitleOf(node.family, node.number, node.outer), 44);
    node.title = titleOf(node);
    (node.parent ? node.parent.inside : roots).push(node);
  }
  const ways = new Map(layout.lines.map((line) => [`${line.family} ${line.target}`, line]));
  const lines = [];
  plan.families.forEach((family, i) => {
    if (family.kind !== 'relationship') return;
    family.targets.forEach((target, k) => {
      const [from, to] = [nodes.get(family.source), nodes.get(target.family)];
      if (from && to && from.parent !== to) lines.push({ from, to, family, number: i, target, drawn: ways.get(`${i} ${k}`) });
    });
  });
  return { roots, nodes, lines, width: layout.size[0], height: layout.size[1] };
}

// The name, without that of what it is inside of.
function titleOf({ family, parent }) {
  const name = family.own ?? family.name;
  const outer = parent?.family.name;
  return shorten(outer && /^[./]/.test(name.slice(outer.length)) && name.startsWith(outer) ? name.slice(outer.length + 1) : name, 34);
}

function isInside(node, around) {
  for (; node; node = node.parent) if (node === around) return true;
  return false;
}

// From the edge of one box to that of the other, curved: points of a Bézier curve.
function route({ from, to, drawn }) {
  if (drawn) return drawn.way.flatMap((x, i) => (i % 2 ? [] : [{ x: x + margin, y: drawn.way[i + 1] + margin }]));
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

function pointOn(curve, place) {
  const parts = (curve.length - 1) / 3;
  const part = Math.min(parts - 1, Math.floor(place * parts));
  const [a, b, c, d] = curve.slice(3 * part);
  const t = place * parts - part;
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
  const { roots, nodes, lines, ...size } = collect();
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
        el('span', { class: 'name' }, el('b', {}, node.title), el('span', { class: 'count' }, changeSign(family) ? el('i', { class: 'sign' }, changeSign(family)) : null, `×${family.count.toLocaleString('en')}`)),
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
  const taken = [...nodes.values()].map((node) => ({ x: node.left, y: node.top, width: node.width, height: headHeight }));
  const drawn = lines.filter(({ from, to }) => !isInside(to, from));
  for (const line of drawn) {
    const curve = route(line);
    const path = svg('path', { class: 'line', d: `M${curve[0].x} ${curve[0].y} C${curve.slice(1).map(({ x, y }) => `${x} ${y}`).join(' ')}`, 'marker-end': 'url(#arrow)' });
    const text = `${shorten(line.family.own, 24)} ${multiplicity(line.target)}`;
    const width = textWidth(text, '12px') + 14;
    const { x, y } = line.drawn?.label ? { x: line.drawn.label[0] + margin - width / 2, y: line.drawn.label[1] + margin - 10 } : placeLabel(curve, width, taken);
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
