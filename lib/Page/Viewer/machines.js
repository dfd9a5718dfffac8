// Machines: the figure of each, what its operations ask and do, and an instance that
// goes through the plan.

import { conditionText, el, link, plural, shorten, svg, table, valueText } from './dom.js';
import { entities, followPath, graph, isCompiled, plan } from './data.js';
import { historyOf } from './happened.js';
import { lineUp } from './layout.js';

const stateHeight = 36;
const laneHeight = 30;
const measuring = document.createElement('canvas').getContext('2d');

export function labelWidth(text, font = '12px') {
  measuring.font = `${font} ${getComputedStyle(document.body).fontFamily}`;
  return measuring.measureText(text).width;
}

// Edges between the same states are one, with the names of all operations.
function joinEdges(edges) {
  const joined = new Map();
  for (const edge of edges) {
    const key = JSON.stringify([edge.from, edge.to, edge.fails]);
    if (!joined.has(key)) joined.set(key, { ...edge, operations: [] });
    joined.get(key).operations.push(edge.operation);
  }
  return [...joined.values()];
}

function edgeText(edge) {
  return shorten(edge.operations.join(', ') + (edge.fails ? ' fails' : ''), 40);
}

function arcPath(x1, x2, y, far) {
  const bend = Math.min(12, Math.abs(x2 - x1) / 2);
  const step = x2 > x1 ? bend : -bend;
  const turn = far > y ? -bend : bend;
  return `M${x1} ${y} V${far + turn} Q${x1} ${far} ${x1 + step} ${far} H${x2 - step} Q${x2} ${far} ${x2} ${far + turn} V${y}`;
}

// The figure of one cell; marks states as the instance at hand has them.
export function drawDiagram(diagram, name) {
  const edges = joinEdges(diagram.edges);
  const { order, routes, above, below } = lineUp(diagram.initial, diagram.values, edges);
  const places = new Map();
  let x = 34;
  const top = above * laneHeight + 16;
  order.forEach((value, i) => {
    const width = Math.max(72, labelWidth(shorten(value, 30), '600 13px') + 28);
    places.set(value, { x, width });
    const straight = edges.filter((edge) => edge.from === value && edge.to === order[i + 1]);
    x += width + Math.max(48, ...straight.map((edge) => labelWidth(edgeText(edge)) + 30));
  });
  const height = top + stateHeight + below * laneHeight + 24;
  const title = `${diagram.cell}: ${edges.map((edge) => `${edge.from} to ${edge.to} by ${edgeText(edge)}`).join('; ')}`;
  const picture = svg('svg', { class: 'diagram', width: x, height, viewBox: `0 0 ${x} ${height}`, role: 'img', 'aria-label': title },
    svg('defs', {}, svg('marker', { id: `head-${name}`, viewBox: '0 0 8 8', refX: 7.5, refY: 4, markerWidth: 10, markerHeight: 10, markerUnits: 'userSpaceOnUse', orient: 'auto' },
      svg('path', { d: 'M0 0.5 L8 4 L0 7.5 z' }))));
  const middle = top + stateHeight / 2;
  const marker = `url(#head-${name})`;
  const start = places.get(diagram.initial);
  picture.append(svg('circle', { class: 'start', cx: start.x - 26, cy: middle, r: 5 }), svg('path', { class: 'line', d: `M${start.x - 20} ${middle} H${start.x - 2}`, 'marker-end': marker }));
  // Where lines meet a state, they stand side by side.
  const ends = new Map();
  const attach = (value, side) => {
    const key = `${side} ${value}`;
    const all = edges.filter((edge) => routes.get(edge).side === side && (edge.from === value || edge.to === value)).length;
    const number = ends.get(key) ?? 0;
    ends.set(key, number + 1);
    const { x: left, width } = places.get(value);
    return left + (width * (number + 1)) / (all + 1);
  };
  const labels = [];
  for (const edge of [...edges].sort((a, b) => order.indexOf(a.from) + order.indexOf(a.to) - order.indexOf(b.from) - order.indexOf(b.to))) {
    const { side, lane } = routes.get(edge);
    const text = edgeText(edge);
    const style = `line${edge.fails ? ' fails' : ''}`;
    const width = labelWidth(text) + 12;
    if (side === 0) {
      const [a, b] = [places.get(edge.from), places.get(edge.to)];
      const y = middle + (edge.fails ? 10 : 0);
      picture.append(svg('path', { class: style, d: `M${a.x + a.width} ${y} H${b.x - 2}`, 'marker-end': marker }));
      labels.push([(a.x + a.width + b.x) / 2, y + (edge.fails ? 12 : -12), width, text, edge]);
      continue;
    }
    const y = side > 0 ? top : top + stateHeight;
    const far = side > 0 ? top - 14 - lane * laneHeight : top + stateHeight + 16 + lane * laneHeight;
    const [x1, x2] = [attach(edge.from, side), attach(edge.to, side)];
    picture.append(svg('path', { class: style, d: arcPath(x1, x2, y + (side > 0 ? -1 : 1), far), 'marker-end': marker }));
    labels.push([(x1 + x2) / 2, far, width, text, edge]);
  }
  for (const [cx, cy, width, text, edge] of labels)
    picture.append(svg('g', { class: `label${edge.fails ? ' fails' : ''}` }, svg('rect', { x: cx - width / 2, y: cy - 9, width, height: 18, rx: 9 }), svg('text', { x: cx, y: cy + 4 }, text)));
  const states = new Map();
  for (const [value, { x: left, width }] of places) {
    const group = svg('g', { class: 'state' }, svg('rect', { x: left, y: top, width, height: stateHeight, rx: 8 }), svg('text', { x: left + width / 2, y: middle + 4.5 }, shorten(value, 30)));
    states.set(value, group);
    picture.append(group);
  }
  return { element: picture, mark: (value) => states.forEach((group, each) => group.classList.toggle('now', each === value)) };
}

function sendText(trigger) {
  const way = trigger.path.map(({ step, name, index }) => [step, name, index].filter((word) => word !== undefined).join(' '));
  return ['SELF', ...way, trigger.interface, trigger.operation].join(' › ');
}

// A trigger, and the operations that it reaches.
function triggerItem(trigger, machine, go) {
  const reached = followPath(machine.owners, trigger.path);
  const receivers = graph.machines.map((each, i) => i).filter((i) => {
    const each = graph.machines[i];
    return each.interface === trigger.interface && each.owners.some((owner) => reached.includes(owner));
  });
  return [el('code', {}, sendText(trigger)), trigger.condition ? [' if ', el('code', {}, conditionText(trigger.condition))] : null,
    receivers.map((i) => [' ', link(`→ ${trigger.operation} of ${shorten(graph.machines[i].owners.join(', '), 40)}`, 'Go to the operation', () => go('machines', i, undefined, trigger.operation))])];
}

function reactionItems(title, reaction, machine, go) {
  if (!reaction) return [];
  return [
    ...reaction.sets.map((set) => [el('span', { class: 'muted' }, `${title} sets `), el('code', {}, set)]),
    ...reaction.sends.map((trigger) => [el('span', { class: 'muted' }, `${title} sends `), triggerItem(trigger, machine, go)]),
  ];
}

function operationRows(machine, go) {
  return machine.operations.map((operation) => [
    el('span', { 'data-operation': operation.name, tabindex: -1 }, operation.name),
    operation.if ? el('code', {}, conditionText(operation.if)) : el('span', { class: 'muted' }, 'always'),
    el('ul', {}, ['entry', 'success', 'failure'].flatMap((key) => reactionItems(`on ${key}`, operation[key], machine, go)).map((item) => el('li', {}, item))),
    operation.handlers ? plural(operation.handlers, 'handler') : 'only writes',
    el('code', {}, operation.place ?? ''),
  ]);
}

// Shows the cells of an instance, step by step.
function stepper(entity, diagrams, machine) {
  const history = historyOf(entity);
  const text = el('output', { class: 'now-text', 'aria-live': 'polite' });
  const range = el('input', { type: 'range', min: 0, max: history.length - 1, value: 0, 'aria-label': `Steps of ${entity.name}` });
  const show = () => {
    const { step, time, cells } = history[range.value];
    const own = cells[machine.interface] ?? {};
    text.replaceChildren(el('b', {}, step ? `after ${step.name}${time === undefined ? '' : `, at ${time.toFixed(2)} s`}` : 'before the plan'), el('span', {}, Object.entries(own).map(([cell, value]) => el('code', {}, `${cell} = ${valueText(value)}`))));
    for (const { cell, figure, initial } of diagrams) figure.mark(valueText(own[cell] ?? initial));
  };
  const move = (by) => () => {
    range.value = Number(range.value) + by;
    show();
  };
  range.addEventListener('input', show);
  show();
  return el('div', { class: 'stepper' },
    el('button', { type: 'button', class: 'action', onclick: move(-1) }, 'Back'), range,
    el('button', { type: 'button', class: 'action', onclick: move(1) }, 'Next'), text);
}

function machineContent(number, entityId, go) {
  const machine = graph.machines[number];
  const diagrams = machine.diagrams.filter((diagram) => diagram.edges.length)
    .map((diagram, i) => ({ cell: diagram.cell, initial: diagram.initial, figure: drawDiagram(diagram, `${number}-${i}`) }));
  const owners = new Set(machine.owners);
  const own = plan.entities.filter((entity) => owners.has(plan.families[entity.family].name));
  const slot = el('div');
  const choose = el('select', { 'aria-label': 'Instance', onchange: () => slot.replaceChildren(stepper(entities.get(Number(choose.value)), diagrams, machine)) },
    own.map((entity) => el('option', { value: entity.id, selected: entity.id === entityId }, shorten(entity.name))));
  if (own.length) slot.append(stepper(entities.get(Number(choose.value)), diagrams, machine));
  const notes = [
    ...machine.intents.map((intent) => `${intent.workflow} sets ${intent.sets}, reached by ${intent.reached_by}`),
    ...machine.promises.map((promise) => `${promise.kind} ${promise.name}: ${conditionText(promise.condition)}`),
  ];
  return [
    el('h2', {}, machine.interface, el('span', { class: 'muted' }, ` ${machine.type}`)),
    el('p', { class: 'muted' }, `of ${shorten(machine.owners.join(', '), 160)}`, machine.place ? `, ${machine.place}` : ''),
    own.length ? el('p', { class: 'choose' }, el('span', {}, 'Instance '), choose) : null,
    slot,
    diagrams.map(({ cell, figure }) => el('figure', {}, el('figcaption', {}, cell), el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `States of ${cell}` }, figure.element))),
    diagrams.length ? null : el('p', { class: 'muted' }, 'No cell of it goes from value to value.'),
    machine.observed
      ? el('p', { class: 'muted' }, 'This is what the plan alone tells: the states that it takes instances through. Preconditions, triggers and what else could happen are in the page of the template (toscac service.yaml --emit=html).')
      : table('Operations', ['Operation', 'Accepted if', 'Does', 'Runs', 'Defined'], operationRows(machine, go)),
    machine.rules.length ? [el('h3', {}, 'Starts by itself'), el('ul', {}, machine.rules.map((rule) => el('li', {}, triggerItem(rule, machine, go))))] : null,
    notes.length ? [el('h3', {}, 'Wanted and promised'), el('ul', {}, notes.map((note) => el('li', {}, note)))] : null,
    table('Cells', ['Cell', 'At first', machine.observed ? 'Values it goes through' : 'Values'], machine.cells.map((cell) => [cell.name, cell.initial, cell.domain.join(', ')])),
  ];
}

export function machinesView(go) {
  const content = el('div', { class: 'main machine' });
  const buttons = graph.machines.map((machine, i) => el('button', { type: 'button', class: 'row', onclick: () => go('machines', i) },
    el('b', {}, machine.interface), el('span', { class: 'type' }, shorten(machine.owners.join(', '), 60))));
  const select = (number, entityId, operation) => {
    const entity = entities.get(entityId);
    if (entity && number === undefined) number = graph.machines.findIndex((machine) => machine.owners.includes(plan.families[entity.family].name));
    if (!graph.machines[number]) number = 0;
    buttons.forEach((button, i) => button.setAttribute('aria-current', i === number));
    if (!graph.machines.length) return;
    content.replaceChildren(...machineContent(number, entityId, go).flat(Infinity).filter(Boolean));
    const place = operation && [...content.querySelectorAll('[data-operation]')].find((each) => each.dataset.operation === operation);
    if (!place) return;
    place.closest('tr').classList.add('selected');
    place.focus();
    place.scrollIntoView({ block: 'center' });
  };
  if (graph.machines.length) select(0);
  else content.append(el('p', { class: 'muted' }, isCompiled ? 'No interface of this service has a state machine.' : 'No step of this plan changes a cell.'));
  return { element: el('div', { class: 'view machines' }, buttons.length ? el('nav', { class: 'list', 'aria-label': 'Machines' }, buttons) : null, content), select };
}
