// Store: the deployments, and of one of them what it has been through and what it says.

import { el, plural, table, valueList, valueText } from './dom.js';
import { data, plan } from './data.js';
import { secondsText, timeText } from './run.js';

// The address of another page of this server, with the token of this one.
export function pageAddress(path, parameters) {
  const query = new URLSearchParams(parameters);
  query.set('token', new URLSearchParams(location.search).get('token') ?? '');
  return `${path}?${query}`;
}

function statusMark(status) {
  return el('span', { class: `status ${status}` }, status);
}

function runRow(run, deployment) {
  return [el('a', { href: pageAddress('/run', { deployment, id: run.id }) }, `run ${run.id}`), run.workflow, statusMark(run.status), timeText(run.started),
    run.seconds === undefined ? '' : secondsText(run.seconds), run.steps.toLocaleString('en')];
}

function lastText({ running, last }) {
  if (!last) return 'nothing has run';
  return running ? `${last.workflow} is running` : `${last.workflow} ${last.status}`;
}

function overview(store) {
  return table('Deployments', ['Deployment', 'Last run', 'When', 'Took'], store.deployments.map((deployment) =>
    [el('a', { href: pageAddress('/', { deployment: deployment.name }) }, deployment.name), lastText(deployment), deployment.last ? timeText(deployment.last.started) : '', deployment.last?.seconds === undefined ? '' : secondsText(deployment.last.seconds)]));
}

export function storeView() {
  const content = el('div', { class: 'main machine' });
  const update = (store) => {
    const parts = [];
    if (store.shown) {
      const nodes = plan.families.filter((family) => family.kind === 'node').reduce((sum, family) => sum + family.count, 0);
      const isRunning = store.deployments.some((each) => each.name === store.shown && each.running);
      parts.push(
        el('p', { class: 'lead' }, `service ${store.service}, ${plural(nodes, 'instance')}${isRunning ? ', a run is going on' : ''}`),
        el('section', {}, el('h2', { class: 'small' }, 'Drift'), store.drift.length
          ? table('Found by checks, and not what was known', ['Cell', 'Was known', 'Is'], store.drift.map((each) => [each.cell, valueText(each.known), valueText(each.value)]))
          : el('p', { class: 'muted' }, 'No check has found anything that was not known.')),
        el('section', {}, el('h2', { class: 'small' }, 'Outputs'), store.outputs && Object.keys(store.outputs).length ? valueList(store.outputs) : el('p', { class: 'muted' }, 'The service says nothing of itself.')),
        table('Runs', ['Run', 'Workflow', 'Outcome', 'When', 'Took', 'Steps'], store.runs.map((run) => runRow(run, store.shown))));
      if (store.inputs && Object.keys(store.inputs).length) parts.push(el('section', {}, el('h2', { class: 'small' }, 'Inputs'), valueList(store.inputs)));
    }
    if (!store.shown || store.deployments.length > 1) parts.push(overview(store));
    content.replaceChildren(...parts);
  };
  update(data.store);
  return { element: el('div', { class: 'view store' }, content), select: () => {}, update };
}
