// Plan: templates as rows, stages as columns, alike calls as one box.

import { el, foldedTable, plural, shorten, table } from './dom.js';
import { boxesAfter, plan, steps } from './data.js';
import { boxDetails, reasonsOf } from './details.js';
import { layersOf } from './layout.js';
import { moveFocus } from './topology.js';

const hasCalls = plan.boxes.some((box) => box.kind === 'call');
// How many calls come before; of a plan without calls, how many boxes.
const stages = hasCalls ? plan.boxes.map((box) => box.stage) : layersOf(plan.boxes.length, plan.boxes.flatMap((box, to) => box.after.map((from) => ({ from, to }))));

function orderRows(families) {
  const key = (i) => {
    const family = plan.families[i];
    return family.kind === 'relationship' ? [family.source, 1, i] : [i, 0, i];
  };
  return [...families].sort((a, b) => {
    const [x, y] = [key(a), key(b)];
    return x[0] - y[0] || x[1] - y[1] || x[2] - y[2];
  });
}

function hint(number) {
  const box = plan.boxes[number];
  const reasons = reasonsOf(number).map(({ box: before, writes }) => `${shorten(plan.boxes[before].name, 70)}${writes ? ` (${shorten(writes, 60)})` : ''}`);
  return `${shorten(box.name, 120)}\n${reasons.length ? `waits for\n  ${reasons.slice(0, 8).join('\n  ')}${reasons.length > 8 ? '\n  …' : ''}` : 'waits for nothing'}`;
}

function summary() {
  const { totals, figures } = plan;
  const tiles = [[totals.added, 'to add', 'good'], [totals.changed, 'to change'], [totals.replaced, 'to replace', 'warn'], [totals.removed, 'to remove', 'bad'], [totals.kept, 'kept'],
    [totals.calls, totals.calls === 1 ? 'call' : 'calls'], [totals.stages, totals.stages === 1 ? 'stage' : 'stages'], [totals.chain, 'on the longest chain']];
  if (figures.seconds) tiles.push([`${Number(figures.seconds).toFixed(1)} s`, 'at least']);
  return el('dl', { class: 'tiles' }, tiles.filter(([value], i) => value || i >= 5).map(([value, name, tone]) =>
    el('div', { class: tone ?? '' }, el('dt', {}, name), el('dd', {}, value.toLocaleString('en')))));
}

export function planView(go) {
  const buttons = new Map();
  const panel = el('aside', { class: 'panel', 'aria-label': 'Details', tabindex: -1 });
  const banner = el('div', { class: 'banner', role: 'status' });
  const grid = el('div', { class: 'grid' });
  const search = el('input', { type: 'search', placeholder: 'Search steps  ( / )', 'aria-label': 'Search steps' });
  const found = el('span', { class: 'muted', role: 'status' });
  const critical = el('input', { type: 'checkbox', checked: true });
  const sets = el('input', { type: 'checkbox' });
  sets.checked = !hasCalls;
  let failing;

  const addBox = (number, cell) => {
    const box = plan.boxes[number];
    const button = el('button', { type: 'button', class: `chip ${box.kind}`, title: hint(number), 'data-box': number, onclick: () => go('plan', number) },
      el('span', {}, shorten(box.operation, 26)), box.count > 1 ? el('span', { class: 'count' }, `×${box.count.toLocaleString('en')}`) : null,
      el('span', { class: 'outcome' }));
    buttons.set(number, button);
    cell.append(button);
  };

  const draw = () => {
    buttons.clear();
    const shown = plan.boxes.map((box, i) => i).filter((i) => sets.checked || plan.boxes[i].kind === 'call');
    const columns = [...new Set(shown.map((i) => stages[i]))].sort((a, b) => a - b);
    const rows = orderRows(new Set(shown.map((i) => plan.boxes[i].family)));
    const cells = new Map();
    grid.style.gridTemplateColumns = `minmax(120px, max-content) repeat(${columns.length}, max-content) 1fr`;
    const place = (element, row, column) => {
      element.style.gridRow = row;
      element.style.gridColumn = column;
      return element;
    };
    const parts = [place(el('div', { class: 'corner' }, 'stage'), 1, 1)];
    columns.forEach((stage, i) => parts.push(place(el('div', { class: 'stage' }, stage), 1, i + 2)));
    parts.push(place(el('div', { class: 'stage' }), 1, columns.length + 2));
    rows.forEach((family, i) => {
      const { name, count } = plan.families[family];
      parts.push(place(el('div', { class: `family${i % 2 ? ' odd' : ''}`, title: name }, el('b', {}, shorten(name, 36)), el('span', { class: 'count' }, `×${count.toLocaleString('en')}`)), i + 2, 1));
      parts.push(place(el('div', { class: `stripe${i % 2 ? ' odd' : ''}` }), i + 2, '2 / -1'));
    });
    for (const i of shown) {
      const { family } = plan.boxes[i];
      const stage = stages[i];
      const key = `${family} ${stage}`;
      if (!cells.has(key)) {
        cells.set(key, place(el('div', { class: 'cell' }), rows.indexOf(family) + 2, columns.indexOf(stage) + 2));
        parts.push(cells.get(key));
      }
      addBox(i, cells.get(key));
    }
    grid.replaceChildren(...parts);
  };

  const mark = (number) => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const before = new Set(plan.boxes[number]?.after);
    const after = new Set(boxesAfter[number]);
    const outcome = failing === undefined ? undefined : outcomes(failing);
    let hits = 0;
    for (const [i, button] of buttons) {
      const box = plan.boxes[i];
      const isHit = words.every((word) => box.name.toLowerCase().includes(word));
      hits += isHit;
      button.classList.toggle('dim', !isHit);
      button.classList.toggle('critical', Boolean(box.critical && critical.checked));
      button.classList.toggle('selected', i === number);
      button.setAttribute('aria-pressed', i === number);
      button.classList.toggle('before', !outcome && before.has(i));
      button.classList.toggle('after', !outcome && after.has(i));
      const now = outcome?.get(i) ?? (outcome ? { state: 'runs', text: '' } : { text: '' });
      for (const state of ['fails', 'never', 'partly', 'held', 'runs']) button.classList.toggle(state, now.state === state);
      button.querySelector('.outcome').textContent = now.text;
    }
    found.textContent = words.length ? `${hits} of ${buttons.size}` : '';
  };

  let selected;
  const leave = () => {
    failing = undefined;
    banner.replaceChildren();
    mark(selected);
  };
  const fail = (number) => {
    failing = number;
    const box = plan.boxes[number];
    const never = (box.never ?? []).reduce((sum, [, count]) => sum + count, 0);
    banner.replaceChildren(el('span', {}, 'If ', el('b', {}, shorten(steps.get(box.first)?.name ?? box.name, 90)), ` fails, ${plural(never, 'step')} never ${never === 1 ? 'runs' : 'run'}. What is green runs all the same.`),
      el('button', { type: 'button', class: 'action', onclick: leave }, 'Leave (Esc)'));
    mark(selected);
  };
  const select = (number) => {
    selected = plan.boxes[number] ? number : undefined;
    if (selected !== undefined && plan.boxes[selected].kind === 'set' && !sets.checked) {
      sets.checked = true;
      draw();
    }
    mark(selected);
    panel.replaceChildren(...(selected === undefined ? [el('p', { class: 'muted' }, 'Choose a step to see what it waits for, what it runs and writes, and what its failure would stop.')] : boxDetails(selected, go, fail).flat(Infinity).filter(Boolean)));
    buttons.get(selected)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  search.addEventListener('input', () => mark(selected));
  critical.addEventListener('change', () => mark(selected));
  sets.addEventListener('change', () => {
    draw();
    mark(selected);
  });
  grid.addEventListener('keydown', (event) => moveFocus(event, buttons));
  draw();
  select();

  const path = el('ol', { class: 'path' }, plan.critical.map(({ name, box }) => el('li', {}, el('button', { type: 'button', class: 'link', title: name, onclick: () => go('plan', box) }, shorten(name)))));
  return {
    element: el('div', { class: 'view' },
      el('div', { class: 'main' }, summary(),
        el('div', { class: 'toolbar' }, search, found, el('label', {}, critical, ' Critical path'), hasCalls && plan.boxes.some((box) => box.kind === 'set') ? el('label', {}, sets, ' Steps that only write') : null),
        banner,
        plan.boxes.length ? el('div', { class: 'scroll picture', tabindex: 0, role: 'region', 'aria-label': 'Steps by template and stage' }, grid) : el('p', {}, 'Nothing is to be done.'),
        el('details', {}, el('summary', {}, 'Critical path'), path),
        el('details', {}, el('summary', {}, 'What will happen, in words'), el('pre', { tabindex: 0 }, plan.view)),
        foldedTable('Plan as a table', () => table('Steps', ['Steps', 'Stage', 'Kind', 'How many', 'Waits for'], plan.boxes.map((box, number) =>
          [shorten(box.name, 120), !hasCalls ? stages[number] : box.last ? `${box.stage} to ${box.last}` : box.stage, box.kind, box.count, box.after.map((i) => shorten(plan.boxes[i].name)).join(', ')])))),
      panel),
    select,
    focusSearch: () => search.focus(),
    escape: () => (failing === undefined ? (search.value = '', mark(selected)) : leave()),
  };
}

// What becomes of each box if the first step of `number` fails.
function outcomes(number) {
  const box = plan.boxes[number];
  const result = new Map();
  for (const [i, count] of box.held ?? []) result.set(i, { state: 'held', text: count < plan.boxes[i].count ? `${count} in doubt` : 'in doubt' });
  for (const [i, count] of box.never ?? []) {
    const all = plan.boxes[i].count;
    result.set(i, count === all ? { state: 'never', text: 'never runs' } : { state: 'partly', text: `${count} of ${all} never` });
  }
  result.set(number, { state: 'fails', text: box.count > 1 ? '1 fails' : 'fails' });
  return result;
}
