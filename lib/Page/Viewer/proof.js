// Proof: an order that does not do what the plan does, or breaks a promise, to step
// through, with cells changing.

import { el, foldedTable, shorten, table } from './dom.js';
import { data, graph } from './data.js';
import { drawDiagram } from './machines.js';

const maxFigures = 8;

// The figure of a cell like `site[0].standard.state`, if its machine has one.
function figureOf(cell, number) {
  const words = cell.split('.');
  const [name, interfaceName] = [words.pop(), words.pop()];
  const owner = words.join('.').replace(/\[\d+\]/g, '');
  const machine = graph.machines.find((each) => each.interface === interfaceName && each.owners.includes(owner));
  const diagram = machine?.diagrams.find((each) => each.cell === name && each.edges.length);
  return diagram && drawDiagram(diagram, `proof-${number}`);
}

// What the cells of `story` have after each of its moments.
function valuesOf(story) {
  const now = story.cells.map((cell) => cell.initial);
  return story.moments.map((moment) => {
    for (const [cell, value] of moment.writes) now[cell] = value;
    return [...now];
  });
}

function storyContent(story) {
  const values = valuesOf(story);
  const last = story.moments.length - 1;
  const figures = story.cells.map((cell, i) => ({ i, cell, figure: i < maxFigures * 4 ? figureOf(cell.name, i) : undefined })).filter(({ figure }) => figure).slice(0, maxFigures);
  const items = story.moments.map((moment, i) => el('li', {}, el('button', { type: 'button', class: 'moment', onclick: () => show(i) }, moment.text || 'nothing starts')));
  const running = el('p', {});
  const rows = story.cells.map((cell) => ({ row: el('tr', {}, el('th', { scope: 'row' }, cell.name), el('td', {}), el('td', {}, cell.expected ?? '')), cell }));
  const range = el('input', { type: 'range', min: 0, max: last, value: 0, 'aria-label': 'Moments', oninput: () => show(Number(range.value)) });
  const text = el('output', { class: 'now-text', 'aria-live': 'polite' });
  const show = (moment) => {
    range.value = moment;
    const { text: now, writes, running: flying } = story.moments[moment];
    text.replaceChildren(el('b', {}, `${moment + 1} of ${last + 1}`), el('span', {}, now));
    items.forEach((item, i) => item.firstChild.setAttribute('aria-current', i === moment ? 'step' : 'false'));
    running.textContent = flying.length ? `In flight: ${flying.slice(0, 12).join(', ')}${flying.length > 12 ? ` and ${flying.length - 12} more` : ''}` : 'Nothing is in flight.';
    const changed = new Set(writes.map(([cell]) => cell));
    rows.forEach(({ row, cell }, i) => {
      row.children[1].textContent = values[moment][i];
      row.classList.toggle('selected', changed.has(i));
      row.classList.toggle('differs', moment === last && cell.expected !== undefined && cell.expected !== values[moment][i]);
    });
    for (const { i, figure } of figures) figure.mark(values[moment][i]);
  };
  const move = (by) => () => show(Math.min(last, Math.max(0, Number(range.value) + by)));
  show(0);
  return [
    el('p', { class: 'claim' }, story.claim),
    el('p', { class: 'muted' }, story.refused ? 'So there is no plan. This is the shortest such order.' : 'The plan was made all the same: with it, operations come in an order that does not show this, or in one that does.'),
    el('div', { class: 'stepper' }, el('button', { type: 'button', class: 'action', onclick: move(-1) }, 'Back'), range, el('button', { type: 'button', class: 'action', onclick: move(1) }, 'Next'), text),
    running,
    el('ol', { class: 'moments' }, items),
    el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Cells' }, el('table', {}, el('caption', {}, 'Cells that change'),
      el('thead', {}, el('tr', {}, ['Cell', 'Now', story.cells.some((cell) => cell.expected !== undefined) ? 'In the end of the plan' : ''].map((title) => el('th', { scope: 'col' }, title)))),
      el('tbody', {}, rows.map(({ row }) => row)))),
    figures.map(({ cell, figure }) => el('figure', {}, el('figcaption', {}, cell.name), el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `States of ${cell.name}` }, figure.element))),
    foldedTable('The order as a table', () => table('The order', ['Moment', 'What happens', 'Writes'], story.moments.map((moment, i) =>
      [i + 1, moment.text, moment.writes.map(([cell, value]) => `${story.cells[cell].name} = ${value}`).join(', ')]))),
  ].flat(Infinity);
}

export function proofView(go) {
  const content = el('div', { class: 'main machine' });
  const buttons = data.proof.map((story, i) => el('button', { type: 'button', class: 'row', onclick: () => go('proof', i) }, el('b', {}, story.refused ? 'Refused' : 'Warning'), el('span', { class: 'type' }, shorten(story.claim, 90))));
  const select = (number) => {
    const story = data.proof[number] ?? data.proof[0];
    buttons.forEach((button, i) => button.setAttribute('aria-current', data.proof[i] === story));
    content.replaceChildren(...storyContent(story));
  };
  select(0);
  return { element: el('div', { class: 'view machines' }, el('nav', { class: 'list', 'aria-label': 'Orders' }, buttons), content), select };
}
