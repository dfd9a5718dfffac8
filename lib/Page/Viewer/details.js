// The panel beside a view: all that is known of one thing.

import { conditionText, el, link, plural, shorten, valueList, valueText } from './dom.js';
import { boxesAfter, boxesOf, entitiesOf, failureStepsOf, graph, machineOf, multiplicity, operationOf, plan, steps, stepsOf, templateOf } from './data.js';

function section(title, ...content) {
  const shown = content.flat().filter(Boolean);
  return shown.length ? el('section', {}, el('h3', {}, title), shown) : null;
}

function writesText(writes) {
  return Object.entries(writes ?? {}).map(([cell, value]) => `${cell} = ${valueText(value)}`).join(', ');
}

function boxLink(number, go) {
  const { name } = plan.boxes[number];
  return link(shorten(name, 80), name, () => go('plan', number));
}

function list(items) {
  return items.length ? el('ul', {}, items.map((item) => el('li', {}, item))) : null;
}

// What a box waits for, with what that writes.
export function reasonsOf(number) {
  return plan.boxes[number].after.map((before) => {
    const step = steps.get(plan.boxes[before].first);
    return { box: before, writes: writesText({ ...step?.entry, ...step?.success }) };
  });
}

function handlerSection(step) {
  return (step.handlers ?? []).map((handler) => {
    const artifact = plan.artifacts[handler.artifact];
    return section('Runs',
      artifact ? el('p', {}, el('code', {}, artifact.file), ` ${artifact.type}`, artifact.sha256 ? null : el('strong', { class: 'bad' }, ' file is not there')) : null,
      handler.inputs && Object.keys(handler.inputs).length ? [el('h4', {}, 'Inputs'), valueList(handler.inputs)] : null,
      handler.outputs ? [el('h4', {}, 'Outputs'), el('p', {}, handler.outputs.join(', '))] : null);
  });
}

function stepContent(step) {
  const writes = [['entry', 'on entry'], ['success', 'on success'], ['failure', 'on failure']]
    .filter(([key]) => step[key] && Object.keys(step[key]).length);
  return [
    handlerSection(step),
    section('Writes', writes.length ? el('dl', { class: 'values' }, writes.map(([key, title]) =>
      [el('dt', {}, title), el('dd', {}, writesText(step[key]))])) : null),
    section('Only if', step.guard ? el('code', {}, conditionText(step.guard)) : null),
    section('Limits',
      step.timeout ? el('p', {}, `ends after ${step.timeout} s`) : null,
      step.retries ? el('p', {}, `tried again ${plural(step.retries, 'time')}`) : null),
    section('Must not overlap', list((step.excludes ?? []).map((id) => steps.get(id)?.name))),
  ];
}

function failureContent(number, go, fail) {
  const box = plan.boxes[number];
  const sum = (counts) => (counts ?? []).reduce((total, [, count]) => total + count, 0);
  const then = failureStepsOf(box.first);
  return section('If it fails',
    el('p', {}, `${plural(sum(box.never), 'step')} would never run`, box.held ? `, ${sum(box.held)} only if they came first.` : '.'),
    then.length ? [el('h4', {}, 'Runs because of it'), list(then.map((step) => step.name))] : null,
    el('button', { type: 'button', class: 'action', onclick: () => fail(number) }, 'Show what still runs'));
}

export function boxDetails(number, go, fail) {
  const box = plan.boxes[number];
  const told = stepsOf(number);
  const operation = operationOf(box);
  const body = el('div', {}, told.length ? stepContent(told[0]) : null);
  const family = plan.families[box.family];
  const machine = machineOf(family.name, box.interface);
  const choose = told.length > 1
    ? el('select', { 'aria-label': 'Instance', onchange: (event) => body.replaceChildren(...stepContent(told[event.target.value]).flat().filter(Boolean)) },
      told.map((step, i) => el('option', { value: i }, shorten(step.name))))
    : null;
  return [
    el('h2', { title: box.name }, shorten(box.name, 120)),
    el('p', { class: 'muted' }, box.kind === 'call' ? plural(box.count, 'call') : `${plural(box.count, 'step')} that only ${box.count === 1 ? 'writes' : 'write'} cells`,
      `, stage ${box.stage}${box.last ? ` to ${box.last}` : ''}${box.critical ? ', on the critical path' : ''}`),
    section('Waits for',
      operation?.if ? el('p', {}, el('code', {}, conditionText(operation.if))) : null,
      list(reasonsOf(number).map(({ box: before, writes }) => [boxLink(before, go), writes ? el('span', { class: 'muted' }, ` ${writes}`) : null])),
      box.after.length || operation?.if ? null : el('p', {}, 'Nothing: it starts at once.')),
    section('Then', list(boxesAfter[number].map((after) => boxLink(after, go)))),
    told.length > 1 ? section('Instance', choose) : null,
    !plan.whole && box.count > 1 && told.length ? el('p', { class: 'muted' }, `As an example: ${told[0].name}`) : null,
    body,
    failureContent(number, go, fail),
    section('Defined', operation?.place ? el('p', {}, el('code', {}, operation.place)) : null,
      machine >= 0 ? link(`machine ${box.interface} of ${family.name}`, '', () => go('machines', machine)) : null),
  ];
}

function entityContent(entity, go) {
  const part = (key, title) => entity[key] ? section(title, valueList(entity[key])) : null;
  return [
    entity.change ? el('p', {}, entity.change, entity.reason ? `: ${entity.reason}` : '') : null,
    entity.target ? el('p', {}, `to ${entity.target}`) : null,
    entity.groups ? el('p', {}, `in ${entity.groups.join(', ')}`) : null,
    part('properties', 'Properties'),
    part('attributes', 'Attributes'),
    Object.entries(entity.cells ?? {}).map(([name, cells]) => section(`Cells of ${name}`, valueList(cells))),
    plan.steps.some((step) => step.entity === entity.id)
      ? link('Follow it through the plan', '', () => go('machines', undefined, entity.id)) : null,
  ].flat().filter(Boolean);
}

export function familyDetails(number, go) {
  const family = plan.families[number];
  const own = entitiesOf(number);
  const template = templateOf(family);
  const body = el('div', { class: 'entity' }, own.length ? entityContent(own[0], go) : null);
  const capabilities = (template?.capabilities ?? []).map((capability) =>
    [capability.name, capability.type ? ` (${capability.type})` : '', Object.entries(capability.remaining ?? {}).map(([name, left]) => `, ${name} left: ${left.join(', ')}`)]);
  const relationships = plan.families.map((each, i) => [each, i])
    .filter(([each]) => each.kind === 'relationship' && (each.source === number || each.targets.some((target) => target.family === number)));
  return [
    el('h2', { title: family.folded }, shorten(family.folded ?? family.name, 120)),
    el('p', { class: 'muted' }, `${family.type}, ${plural(family.count, family.kind === 'node' ? 'instance' : family.kind)}`),
    template?.place ? el('p', {}, el('code', {}, template.place)) : null,
    family.kind === 'relationship'
      ? section('Leads to', list(family.targets.map((target) => `${plan.families[target.family].name} ${multiplicity(target)}`))) : null,
    section('Relationships', family.kind === 'node' ? list(relationships.map(([each, i]) =>
      [link(each.name, '', () => go('topology', i)), ` ${each.targets.map((target) => `→ ${plan.families[target.family].name} ${multiplicity(target)}`).join(', ')}`])) : null),
    section('Capabilities', list(capabilities)),
    section('Steps', list(boxesOf(number).map((box) => boxLink(box, go)))),
    section('Machines', list(graph.machines.map((machine, i) => [machine, i]).filter(([machine]) => machine.owners.includes(family.name))
      .map(([machine, i]) => link(`${machine.interface} (${machine.type})`, '', () => go('machines', i))))),
    own.length > 1 ? section('Instance', el('select', { 'aria-label': 'Instance', onchange: (event) => body.replaceChildren(...entityContent(own[event.target.value], go)) },
      own.map((entity, i) => el('option', { value: i }, shorten(entity.name)))),
      own.length < family.count ? el('p', { class: 'muted' }, `the first ${own.length} of ${family.count.toLocaleString('en')}`) : null) : null,
    body,
  ];
}
