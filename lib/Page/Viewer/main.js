// The page: its head, the views as tabs, and keys. What is shown stands in the address,
// so that it can be sent to somebody.

import { el, shorten, valueList } from './dom.js';
import { boxesOf, data, graph, hasPlan, isCompiled, plan } from './data.js';
import { planView } from './plan.js';
import { topologyView } from './topology.js';
import { machinesView } from './machines.js';
import { proofView } from './proof.js';
import { runView } from './run.js';
import { pageAddress, storeView } from './store.js';
import { follow } from './live.js';

// Those that the data are there for.
const views = Object.fromEntries(Object.entries({
  store: data.store && { title: data.store.shown ? 'Deployment' : 'Deployments', make: storeView },
  run: data.run && { title: 'Run', make: runView },
  plan: hasPlan && !data.store && { title: 'Plan', make: planView },
  topology: hasPlan && { title: 'Topology', make: topologyView },
  machines: (isCompiled || hasPlan) && !data.store && { title: 'Machines', make: machinesView },
  proof: data.proof && { title: 'Proof', make: proofView },
}).filter(([, view]) => view));

function toggleTheme() {
  const root = document.documentElement;
  const isDark = (root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
  root.dataset.theme = isDark ? 'light' : 'dark';
}

const tabs = new Map();
const panels = new Map();
const made = new Map();
let current;

function viewOf(name) {
  if (!made.has(name)) {
    made.set(name, views[name].make(go));
    panels.get(name).append(made.get(name).element);
  }
  return made.get(name);
}

function show(name, ...place) {
  current = name;
  for (const [each, tab] of tabs) {
    tab.setAttribute('aria-selected', each === name);
    tab.tabIndex = each === name ? 0 : -1;
    panels.get(each).hidden = each !== name;
  }
  viewOf(name).select(...place);
}

// Shows a place: a view, the number of what is chosen there, and more that only some
// views know.
function go(name, ...place) {
  const hash = `#${[name, ...place].map((word) => (word === undefined ? '' : encodeURIComponent(word))).join('/')}`;
  if (location.hash === hash) show(name, ...place);
  else location.hash = hash;
}

function followAddress() {
  const [name, number, entity, operation] = location.hash.slice(1).split('/').map(decodeURIComponent);
  const read = (text) => (text ? Number(text) : undefined);
  if (views[name]) show(name, read(number), read(entity), operation);
  else show(hasPlan || !data.proof ? Object.keys(views)[0] : 'proof');
}

// The number of what stands at or nearest above a line of a file, among things with places
// like `service.yaml:12`.
function nearest(things, file, line) {
  let best;
  things.forEach(({ place }, i) => {
    const colon = place?.lastIndexOf(':') ?? -1;
    const at = Number(place?.slice(colon + 1));
    if (colon < 0 || at > line || !file.endsWith(`/${place.slice(0, colon)}`)) return;
    if (best === undefined || at > best.at) best = { at, i };
  });
  return best?.i;
}

// An editor that shows the page tells where its cursor is: the view goes to what stands
// there.
function followCursor({ data }) {
  if (typeof data?.file !== 'string' || !views[data.view]) return;
  const template = graph.templates[nearest(graph.templates, data.file, data.line)]?.name;
  const family = plan.families.findIndex((each) => each.name === template);
  const owned = graph.machines.findIndex((machine) => machine.owners.includes(template));
  const number = {
    run: undefined,
    plan: boxesOf(family)[0],
    topology: family < 0 ? undefined : family,
    machines: owned < 0 ? nearest(graph.machines, data.file, data.line) : owned,
  }[data.view];
  show(data.view, number);
}

function build() {
  const list = el('div', { role: 'tablist', 'aria-label': 'Views', class: 'tabs' });
  const main = el('main');
  for (const [name, { title }] of Object.entries(views)) {
    const tab = el('button', { type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': `view-${name}`, onclick: () => go(name) }, title);
    const panel = el('div', { role: 'tabpanel', id: `view-${name}`, 'aria-labelledby': `tab-${name}` });
    tabs.set(name, tab);
    panels.set(name, panel);
    list.append(tab);
    main.append(panel);
  }
  list.addEventListener('keydown', (event) => {
    const names = [...tabs.keys()];
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    const next = names[(names.indexOf(current) + by + names.length) % names.length];
    go(next);
    tabs.get(next).focus();
  });
  const head = data.store
    ? [el('h1', {}, shorten(data.store.shown ?? 'Deployments', 80)), data.store.shown ? el('p', { class: 'muted' }, el('a', { href: pageAddress('/', {}) }, 'all deployments')) : null]
    : [el('h1', {}, shorten(plan.service, 80)), hasPlan || data.run ? el('p', { class: 'muted' }, `workflow ${data.run?.workflow ?? plan.workflow}, deployment ${data.run?.deployment ?? plan.deployment}`,
      data.run && data.feed ? [' · ', el('a', { href: pageAddress('/', { deployment: data.run.deployment }) }, 'all of it')] : null) : null];
  const about = Object.keys(plan.inputs).length
    ? el('details', { class: 'about' }, el('summary', {}, 'Made from'), valueList(plan.inputs), Object.keys(plan.values).length ? [el('h3', {}, 'Inputs'), valueList(plan.values)] : null) : null;
  document.body.append(
    el('header', {}, el('div', {}, head), list, data.feed ? follow(update) : null, el('button', { type: 'button', class: 'action theme', onclick: toggleTheme }, 'Light / dark')),
    main,
    el('footer', {}, about, el('p', { class: 'muted' }, `Keys: 1 – ${Object.keys(views).length} views, / search, arrows from box to box, Enter details, Esc back`)));
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape') return viewOf(current).escape?.();
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  const name = Object.keys(views)[Number(event.key) - 1];
  if (name) go(name);
  if (event.key !== '/') return;
  event.preventDefault();
  const searched = viewOf(current).focusSearch ? current : 'plan';
  if (!views[searched]) return;
  go(searched);
  viewOf(searched).focusSearch();
}

// Shows what the server has sent.
function update(part, facts) {
  data[part] = facts;
  made.get(part)?.update?.(facts);
}

build();
addEventListener('hashchange', followAddress);
addEventListener('keydown', onKey);
addEventListener('message', followCursor);
addEventListener('beforeprint', () => {
  Object.keys(views).forEach(viewOf);
  for (const details of document.querySelectorAll('main details')) (details.unfold ?? (() => (details.open = true)))();
});
followAddress();
