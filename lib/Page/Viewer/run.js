// Run: what happened when, what failed and why, what the end waited for, and the same
// of another run beside it.

import { el, foldedTable, plural, shorten, table, valueText } from './dom.js';
import { data, hasPlan, plan, steps } from './data.js';
import { momentsOf, writesAt } from './happened.js';
import { moveFocus } from './topology.js';
import { labelWidth } from './machines.js';

const callHeight = 16;
const maxCallLanes = 8;
const tones = { done: 'good', failed: 'bad', dead: 'bad', stopped: 'warn', running: '' };

export function secondsText(seconds) {
  if (seconds >= 3600) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  if (seconds >= 60) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
  return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
}

export function timeText(seconds) {
  return new Date(seconds * 1000).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
}

function withoutIndices(name) {
  return name.replace(/\[\d+\]/g, '');
}

function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(item);
  }
  return groups;
}

// Where a call of a run has got to, in seconds since the run began.
function endOf(call, run) {
  return call.end ?? run.seconds;
}

// Puts what overlaps into lanes of its own.
function takeCallLanes(calls, run) {
  const ends = [];
  return calls.map((call) => {
    let lane = ends.findIndex((end) => end <= call.begin);
    if (lane < 0) lane = ends.length < maxCallLanes ? ends.length : ends.indexOf(Math.min(...ends));
    ends[lane] = endOf(call, run);
    return lane;
  });
}

// What the end of the run has waited for, and how that divides.
function chainOf(run) {
  const calls = new Map(run.told.map((call) => [call.step, call]));
  const chain = (run.chain ?? []).map((step) => calls.get(step)).filter(Boolean);
  const parts = { work: 0, retries: 0, places: 0 };
  for (const call of chain) {
    const lost = call.earlier?.length ? call.last_begin - call.begin : 0;
    parts.retries += lost;
    parts.work += endOf(call, run) - call.begin - lost;
    parts.places += Math.max(0, call.begin - (call.ready ?? call.begin));
  }
  return { chain, parts };
}

function outcomeText(call) {
  const tries = call.earlier?.length ?? 0;
  return `${call.outcome}${tries ? `, tried ${tries + 1} times` : ''}`;
}

function hintOf(call, run) {
  const lines = [call.name, `${outcomeText(call)}: ${secondsText(call.begin)} to ${call.end === undefined ? 'now' : secondsText(call.end)}, ${secondsText(endOf(call, run) - call.begin)}`];
  const waited = call.begin - (call.ready ?? call.begin);
  if (waited >= 0.005) lines.push(`waited ${secondsText(waited)} for a place`);
  if (call.reason) lines.push(call.reason);
  return lines.join('\n');
}

function summaryTiles(run) {
  const failed = run.groups.reduce((sum, group) => sum + (group.failed ?? 0), 0);
  const done = run.groups.reduce((sum, group) => sum + group.done, 0);
  const retries = run.told.reduce((sum, call) => sum + (call.earlier?.length ?? 0), 0);
  const tiles = [[run.status, `run ${run.id}`, tones[run.status]], [secondsText(run.seconds), run.status === 'running' ? 'so far' : 'in all'],
    [`${done.toLocaleString('en')}${run.planned === undefined ? '' : ` of ${run.planned.toLocaleString('en')}`}`, 'calls done']];
  if (failed) tiles.push([failed.toLocaleString('en'), 'failed', 'bad']);
  if (retries) tiles.push([retries.toLocaleString('en'), 'tried again', 'warn']);
  if (run.skipped) tiles.push([run.skipped.toLocaleString('en'), 'skipped']);
  if (run.least !== undefined && run.calls) tiles.push([secondsText(run.least), 'longest chain of calls']);
  return el('dl', { class: 'tiles' }, tiles.map(([value, name, tone]) => el('div', { class: tone ?? '' }, el('dt', {}, name), el('dd', {}, value))));
}

function failureList(run, select) {
  const failed = run.told.filter((call) => call.outcome === 'failed');
  return failed.map((call) => el('section', { class: 'failure' },
    el('h2', {}, el('button', { type: 'button', class: 'link', onclick: () => select(call.step) }, call.name)),
    el('p', {}, call.reason ?? 'failed', call.earlier?.length ? ` (${plural(call.earlier.length + 1, 'attempt')})` : ''),
    call.tail ? el('pre', { tabindex: 0, 'aria-label': `The last lines of ${call.name}` }, call.tail) : el('p', { class: 'muted' }, 'It has printed nothing.')));
}

// Plan against reality.
function comparedWithPlan(run) {
  if (!hasPlan) return el('p', { class: 'muted' }, 'The plan is not there any more, or has changed: what the run waited for cannot be told.');
  const { chain, parts } = chainOf(run);
  const waits = [[parts.work, 'work', 'work'], [parts.retries, 'attempts that failed', 'retries'], [parts.places, 'waiting for a free place', 'places']];
  const total = waits.reduce((sum, [value]) => sum + value, 0) || 1;
  const notRun = run.not_run ?? [];
  return [
    run.status !== 'running' && notRun.length ? el('p', {}, el('b', {}, 'Not run: '), notRun.join(', ')) : null,
    chain.length ? [
      el('p', {}, `The end waited for a chain of ${plural(chain.length, 'call')}: `, waits.filter(([value]) => value >= 0.005 || value === parts.work).map(([value, name]) => `${secondsText(value)} ${name}`).join(', '), '. ',
        plan.figures.seconds ? `With the times of earlier runs, the plan takes at least ${secondsText(Number(plan.figures.seconds))}.` : null),
      el('div', { class: 'shares', 'aria-hidden': 'true' }, waits.map(([value, , tone]) => {
        const share = el('span', { class: tone });
        share.style.flexGrow = value / total;
        return share;
      })),
      foldedTable('What the end waited for', () => table('What the end waited for', ['Call', 'Ready after', 'Waited for a place', 'Took', 'Attempts'], chain.map((call) =>
        [call.name, secondsText(call.ready ?? call.begin), secondsText(Math.max(0, call.begin - (call.ready ?? call.begin))), secondsText(endOf(call, run) - call.begin), (call.earlier?.length ?? 0) + 1]))),
      foldedTable('The critical path of the plan', () => table('The critical path of the plan', ['Call', 'Was in the chain'], plan.critical.filter(({ box }) => plan.boxes[box]?.kind === 'call').map(({ name }) =>
        [name, chain.some((call) => call.name === name) ? 'yes' : 'no']))),
    ] : null,
  ];
}

function comparedWithRun(run, other) {
  const before = new Map(other.groups.map((group) => [group.name, group]));
  const rows = run.groups.map((group) => {
    const then = before.get(group.name);
    before.delete(group.name);
    return { name: group.name, now: group, then };
  });
  for (const then of before.values()) rows.push({ name: then.name, then });
  const mean = (group) => (group ? group.seconds / group.count : undefined);
  const change = ({ now, then }) => (now && then ? mean(now) - mean(then) : 0);
  rows.sort((a, b) => Math.abs(change(b)) - Math.abs(change(a)));
  const cell = (group) => (group ? `${secondsText(mean(group))}${group.count > 1 ? ` × ${group.count.toLocaleString('en')}` : ''}${group.failed ? `, ${group.failed} failed` : ''}` : 'not run');
  return table(`Run ${run.id} and run ${other.id}`, ['Operation', `Run ${run.id}`, `Run ${other.id}`, 'Difference of one call'], rows.map((row) =>
    [row.name, cell(row.now), cell(row.then), row.now && row.then ? `${change(row) >= 0 ? '+' : '−'}${secondsText(Math.abs(change(row)))}` : '']));
}

function callDetails(call, run, other, go) {
  if (!call) return [el('p', { class: 'muted' }, 'Choose a bar to see when the call could start, what it waited for, its attempts, and what it said when it failed.')];
  const then = other?.told.find((each) => each.name === call.name);
  const rows = [['could start', secondsText(call.ready ?? call.begin)], ['began', secondsText(call.begin)], ['ended', call.end === undefined ? 'not yet' : secondsText(call.end)], ['took', secondsText(endOf(call, run) - call.begin)]];
  const waited = call.begin - (call.ready ?? call.begin);
  if (waited >= 0.005) rows.splice(1, 0, ['waited for a place', secondsText(waited)]);
  if (then) rows.push([`took in run ${other.id}`, secondsText(endOf(then, other) - then.begin)]);
  const attempts = [...(call.earlier ?? []), { begin: call.last_begin ?? call.begin, end: call.end, reason: call.reason ?? call.outcome }];
  const step = steps.get(call.step);
  return [
    el('h2', { title: call.name }, shorten(call.name, 120)),
    el('p', { class: call.outcome === 'failed' ? 'bad' : 'muted' }, outcomeText(call), call.reason ? `: ${call.reason}` : ''),
    el('dl', { class: 'values' }, rows.map(([name, value]) => [el('dt', {}, name), el('dd', {}, value)])),
    attempts.length > 1 ? el('section', {}, el('h3', {}, 'Attempts'), el('ol', {}, attempts.map((attempt) => el('li', {}, `${secondsText(attempt.begin)} to ${attempt.end === undefined ? 'now' : secondsText(attempt.end)}: ${attempt.reason}`)))) : null,
    call.tail ? el('section', {}, el('h3', {}, 'Last lines of its log'), el('pre', { tabindex: 0 }, call.tail)) : null,
    step?.box !== undefined ? el('p', {}, el('button', { type: 'button', class: 'link', onclick: () => go('plan', step.box) }, 'See it in the plan')) : null,
  ].filter(Boolean);
}

function legend(hasOthers) {
  const kinds = [['done', 'done'], ['critical', 'done, and the end waited for it'], ['failed', 'failed'], ['running', 'running'], ['stopped', 'stopped with the run'], ['attempt', 'an attempt that failed'], ['wait', 'waiting for a free place'], ['other', 'the other run']];
  return el('ul', { class: 'legend' }, kinds.filter(([kind]) => hasOthers || kind !== 'other').map(([kind, text]) => el('li', {}, el('span', { class: `bar ${kind}` }), text)));
}

const maxFlying = 12;

// What happened, to step through. `show` is called with the moment at hand, if there is one.
function runStepper(show) {
  let moments = [];
  let isMoved = false;
  const range = el('input', { type: 'range', min: 0, max: 0, value: 0, 'aria-label': 'Moments of the run', oninput: () => to(Number(range.value)) });
  const text = el('output', { class: 'now-text', 'aria-live': 'polite' });
  const said = el('div', { class: 'moment-now' });
  const to = (number) => {
    isMoved = true;
    range.value = Math.min(moments.length - 1, Math.max(0, number));
    const moment = moments[range.value];
    const names = moment.flying.map((call) => call.name);
    const writes = writesAt(moment);
    text.replaceChildren(el('b', {}, `${Number(range.value) + 1} of ${moments.length}, at ${secondsText(moment.time)}`), el('span', {}, moment.text));
    said.replaceChildren(...[
      el('p', { class: 'muted' }, names.length ? `In flight: ${names.slice(0, maxFlying).join(', ')}${names.length > maxFlying ? ` and ${names.length - maxFlying} more` : ''}` : 'Nothing is in flight.'),
      writes.length ? el('ul', {}, writes.map(({ name, value }) => el('li', {}, el('code', {}, `${name} = ${valueText(value)}`)))) : null].filter(Boolean));
    show(moment);
  };
  return {
    element: el('div', {}, el('div', { class: 'stepper' },
      el('button', { type: 'button', class: 'action', onclick: () => to(Number(range.value) - 1) }, 'Back'), range,
      el('button', { type: 'button', class: 'action', onclick: () => to(isMoved ? Number(range.value) + 1 : 0) }, 'Next'), text), said),
    // What is at hand stays, unless it was the latest.
    update(run) {
      const isLatest = Number(range.value) === moments.length - 1;
      moments = momentsOf(run);
      range.max = moments.length - 1;
      if (isMoved) return to(isLatest ? moments.length - 1 : Number(range.value));
      range.value = moments.length - 1;
      text.replaceChildren(el('span', {}, `${plural(moments.length, 'moment')}: Next steps through what happened`));
    },
    leave() {
      isMoved = false;
      range.value = moments.length - 1;
      text.replaceChildren();
      said.replaceChildren();
      show();
    },
  };
}

// A round number of seconds between the lines of the axis.
function tickOf(seconds) {
  const wanted = seconds / 8;
  const power = 10 ** Math.floor(Math.log10(wanted || 1));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= wanted);
}

export function runView(go) {
  let run = data.run;
  let other;
  let selected;
  let search = '';
  let zoom = 1;
  const unfolded = new Set();
  const buttons = new Map();
  const top = el('div', { class: 'run-top' });
  const chart = el('div', { class: 'gantt' });
  const scroll = el('div', { class: 'scroll picture', tabindex: 0, role: 'region', 'aria-label': 'Calls in the order in which they began' }, chart);
  const below = el('div', { class: 'run-below' });
  const panel = el('aside', { class: 'panel', 'aria-label': 'Details', tabindex: -1 });
  const status = el('p', { class: 'muted', role: 'status' });
  const input = el('input', { type: 'search', placeholder: 'Search calls  ( / )', 'aria-label': 'Search calls', oninput: () => (search = input.value.toLowerCase(), draw()) });
  const scale = el('input', { type: 'range', min: 1, max: 40, value: 1, 'aria-label': 'Zoom', oninput: () => (zoom = Number(scale.value), draw()) });
  const choose = el('select', { 'aria-label': 'Compare with', onchange: () => {
    other = run.others.find((each) => each.id === Number(choose.value));
    update(run);
  } });

  const bar = (call, lane, whole, isOther) => {
    const from = isOther ? other : run;
    const left = (time) => `${(100 * time) / whole}%`;
    const place = (element, begin, end) => {
      Object.assign(element.style, { left: left(begin), width: left(Math.max(0, end - begin)), top: `${4 + lane * callHeight}px` });
      return element;
    };
    if (isOther) return [place(el('span', { class: 'bar other', title: `run ${other.id}: ${hintOf(call, other)}` }), call.begin, endOf(call, from))];
    const button = place(el('button', { type: 'button', class: `bar ${call.outcome}${call.inChain ? ' critical' : ''}${call.step === selected ? ' selected' : ''}`, title: hintOf(call, run),
      'aria-label': hintOf(call, run), 'data-step': call.step, onclick: () => select(call.step, true) }), call.begin, endOf(call, run));
    buttons.set(call.step, button);
    const waited = call.begin - (call.ready ?? call.begin);
    return [waited > 0 ? place(el('span', { class: 'bar wait' }), call.ready, call.begin) : null, button,
      (call.earlier ?? []).map((attempt) => place(el('span', { class: 'bar attempt' }), attempt.begin, attempt.end))];
  };

  const addRow = (name, calls, others, whole, group, parts) => {
    const lanes = takeCallLanes(calls, run);
    const height = Math.max(1, ...lanes.map((lane) => lane + 1)) + (others.length ? 1 : 0);
    const isFolded = group !== undefined && (group.count > 1);
    const label = el('div', { class: 'gantt-name', title: name },
      isFolded ? el('button', { type: 'button', class: 'fold', 'aria-expanded': unfolded.has(name), onclick: () => {
        unfolded.has(name) ? unfolded.delete(name) : unfolded.add(name);
        draw();
      } }, unfolded.has(name) ? '▾ ' : '▸ ', shorten(name, 44)) : el('span', {}, shorten(name, 48)),
      group && group.count > 1 ? el('span', { class: 'count' }, `×${group.count.toLocaleString('en')}`) : null);
    const track = el('div', { class: 'track' });
    track.style.height = `${height * callHeight + 8}px`;
    if (group && calls.length < group.count) {
      const band = el('span', { class: `band${group.failed ? ' failed' : ''}`, title: `${plural(group.count, 'call')}, ${group.done} done${group.failed ? `, ${group.failed} failed` : ''}` });
      Object.assign(band.style, { left: `${(100 * group.begin) / whole}%`, width: `${(100 * (group.end - group.begin)) / whole}%` });
      track.append(band);
    }
    calls.forEach((call, i) => track.append(...bar(call, lanes[i], whole, false).flat().filter(Boolean)));
    for (const call of others) track.append(...bar(call, height - 1, whole, true));
    parts.push(label, track);
  };

  let moment;
  // Where the moment at hand is: a line, and calls that begin later are pale.
  const markMoment = () => {
    chart.classList.toggle('stepping', moment !== undefined);
    if (moment) chart.style.setProperty('--now', `${(100 * moment.time) / wholeOf()}%`);
    const flying = new Set((moment?.flying ?? []).map((call) => call.step));
    for (const call of run.told) {
      const button = buttons.get(call.step);
      button?.classList.toggle('later', moment !== undefined && call.begin > moment.time);
      button?.classList.toggle('flying', flying.has(call.step));
    }
  };
  const stepper = runStepper((now) => {
    moment = now;
    markMoment();
  });
  const wholeOf = () => Math.max(run.seconds, other?.seconds ?? 0, 0.001) * 1.01;

  const draw = () => {
    const focused = document.activeElement?.dataset?.step;
    buttons.clear();
    const inChain = new Set(run.chain ?? []);
    for (const call of run.told) call.inChain = inChain.has(call.step);
    const isHit = (call) => !search || call.name.toLowerCase().includes(search);
    const told = groupBy(run.told.filter(isHit), (call) => withoutIndices(call.name));
    const compared = groupBy(other ? other.told.filter(isHit) : [], (call) => withoutIndices(call.name));
    const whole = wholeOf();
    const parts = [];
    const axis = el('div', { class: 'track axis' });
    const step = tickOf(whole / zoom);
    for (let tick = 0; tick < whole; tick += step) {
      const line = el('span', { class: 'tick' }, secondsText(tick));
      line.style.left = `${(100 * tick) / whole}%`;
      axis.append(line);
    }
    parts.push(el('div', { class: 'gantt-name corner' }, 'call'), axis);
    const groups = run.groups.filter((group) => told.has(group.name) || !search).sort((a, b) => a.begin - b.begin);
    for (const group of groups) {
      const calls = [...(told.get(group.name) ?? [])].sort((a, b) => a.begin - b.begin);
      const then = compared.get(group.name) ?? [];
      if (!unfolded.has(group.name)) {
        addRow(group.name, calls, then, whole, group, parts);
        continue;
      }
      addRow(group.name, [], [], whole, group, parts);
      for (const call of calls) addRow(call.name, [call], then.filter((each) => each.name === call.name), whole, undefined, parts);
    }
    for (const [name, calls] of compared) if (!run.groups.some((group) => group.name === name)) addRow(name, [], calls, whole, undefined, parts);
    const names = parts.filter((part) => part.classList.contains('gantt-name')).map((part) => part.textContent);
    const width = Math.ceil(Math.max(120, ...names.map((name) => labelWidth(name, '12.5px') * 1.12 + 46)));
    chart.style.gridTemplateColumns = `${width}px calc(${zoom} * (100% - ${width}px))`;
    chart.replaceChildren(...parts);
    if (focused !== undefined) buttons.get(Number(focused))?.focus();
    markMoment();
  };

  const showDetails = () => panel.replaceChildren(...callDetails(run.told.find((call) => call.step === selected), run, other, go));
  const select = (step, isClick) => {
    selected = run.told.some((call) => call.step === step) ? step : undefined;
    if (isClick && selected !== undefined) return go('run', step);
    for (const [id, button] of buttons) button.classList.toggle('selected', id === selected);
    buttons.get(selected)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    showDetails();
  };

  // Shows `now`, which is what the run has come to.
  const update = (now) => {
    run = now;
    const running = run.told.filter((call) => call.outcome === 'running' || call.outcome === 'waiting');
    status.textContent = run.status === 'running' ? `Running: ${running.slice(0, 6).map((call) => call.name).join(', ') || 'nothing at the moment'}${running.length > 6 ? `, and ${running.length - 6} more` : ''}` : '';
    top.replaceChildren(...[summaryTiles(run), failureList(run, (step) => select(step, true)),
      run.found?.length ? el('section', {}, el('h2', { class: 'small' }, 'Found'), el('ul', {}, run.found.map((each) => el('li', {}, each)))) : null].flat().filter(Boolean));
    const chosen = run.others.find((each) => each.id === other?.id);
    other = chosen;
    choose.replaceChildren(el('option', { value: '' }, 'no other run'), ...run.others.map((each) => el('option', { value: each.id, selected: each.id === other?.id }, `run ${each.id}: ${each.workflow}, ${each.status}, ${secondsText(each.seconds)}`)));
    const open = new Set([...below.querySelectorAll('details[open] > summary')].map((summary) => summary.textContent));
    below.replaceChildren(...[
      el('section', {}, el('h2', { class: 'small' }, 'Plan and reality'), comparedWithPlan(run)),
      other ? comparedWithRun(run, other) : null,
      foldedTable('Run as a table', () => table('Calls', ['Call', 'Outcome', 'Began', 'Took', 'Waited for a place', 'Why'], run.told.map((call) =>
        [call.name, outcomeText(call), secondsText(call.begin), secondsText(endOf(call, run) - call.begin), call.ready === undefined ? '' : secondsText(Math.max(0, call.begin - call.ready)), [...(call.earlier ?? []).map(({ reason }) => reason), call.reason].filter(Boolean).join('; ')]))),
    ].flat(Infinity).filter(Boolean));
    for (const details of below.querySelectorAll('details')) details.open = open.has(details.firstElementChild.textContent);
    draw();
    stepper.update(run);
    showDetails();
  };
  chart.addEventListener('keydown', (event) => moveFocus(event, buttons));
  update(run);

  return {
    element: el('div', { class: 'view' },
      el('div', { class: 'main' }, top, status,
        el('div', { class: 'toolbar' }, input, el('label', {}, 'Zoom ', scale), run.others.length ? el('label', {}, 'Compare with ', choose) : null),
        run.calls ? null : el('p', {}, 'No call has begun.'), stepper.element, scroll, legend(run.others.length > 0), below), panel),
    select: (step) => select(step),
    focusSearch: () => input.focus(),
    escape: () => (input.value = search = '', stepper.leave(), draw()),
    update,
  };
}
