// A page that is served shows what happens: the server sends all that has changed.

import { el } from './dom.js';
import { data } from './data.js';

// Calls `update(part, facts)` with what is new. Gives an element that says whether more
// can come.
export function follow(update) {
  const state = el('p', { class: 'live', role: 'status' }, 'live');
  const source = new EventSource(`${data.feed}${location.search}`);
  let isOver = false;
  const take = (part) => (event) => {
    data[part] = JSON.parse(event.data);
    data[`${part}At`] = performance.now();
    state.textContent = 'live';
    update(part, data[part]);
  };
  source.addEventListener('run', take('run'));
  source.addEventListener('store', take('store'));
  source.addEventListener('end', () => {
    isOver = true;
    source.close();
    state.textContent = 'over: this is the end of it';
  });
  source.addEventListener('error', () => {
    if (!isOver) state.textContent = source.readyState === EventSource.CLOSED ? 'nobody answers any more: this is what was seen last' : 'the server does not answer; asking again';
  });
  return state;
}
