// What happened in a run, moment by moment: from the times of its calls, and from what the
// plan says that steps write.

import { data, entities, hasPlan, plan, steps } from './data.js';

// How a call ended, in words; what it writes then has this name in a step.
const endings = { done: ['is done', 'success'], failed: ['fails', 'failure'], stopped: ['is stopped with the run', undefined] };

function momentsOfCall(call) {
  const attempts = call.earlier ?? [];
  const step = steps.get(call.step);
  const moments = [{ time: call.begin, order: 1, text: `${call.name} begins`, starts: call, step, part: 'entry' }];
  attempts.forEach((attempt, i) => {
    moments.push({ time: attempt.end, order: 0, text: `${call.name} has to be tried again: ${attempt.reason}`, ends: call });
    const begin = attempts[i + 1]?.begin ?? call.last_begin;
    if (i + 1 < attempts.length || call.outcome !== 'waiting') moments.push({ time: begin, order: 1, text: `${call.name} begins again`, starts: call });
  });
  if (call.end === undefined) return moments;
  const [text, part] = endings[call.outcome];
  const began = call.last_begin ?? call.begin;
  moments.push({ time: call.end, order: call.end > began ? 0 : 2, text: `${call.name} ${text}${call.outcome === 'failed' && call.reason ? `: ${call.reason}` : ''}`, ends: call, step, part, isEnd: true });
  return moments;
}

// Adds what steps without a call write to the moment that they have waited for.
function addSets(moments) {
  const over = new Map();
  moments.forEach((moment, i) => moment.isEnd && over.set(moment.step?.id, { at: i, outcome: moment.part }));
  const calls = new Set(moments.map((moment) => moment.step?.id));
  for (const step of plan.steps) {
    if (calls.has(step.id) || step.guard || plan.boxes[step.box]?.kind === 'call' || step.handlers) continue;
    const waits = (step.deps ?? []).map((id) => [id, 'success']);
    if (step.after_failure !== undefined) waits.push([step.after_failure, 'failure']);
    if (!waits.every(([id, outcome]) => over.get(id)?.outcome === outcome)) continue;
    const at = Math.max(0, ...waits.map(([id]) => over.get(id).at));
    over.set(step.id, { at, outcome: 'success' });
    for (const part of ['entry', 'success']) if (step[part]) moments[at].steps.push([step, part]);
  }
}

// By time: { time, text, steps, flying }, where `steps` are steps with the part of their writes
// that is done then, and `flying` the calls that run after it.
export function momentsOf(run) {
  const moments = [{ time: 0, order: 0, text: 'the run begins' }, ...run.told.flatMap(momentsOfCall)]
    .sort((a, b) => a.time - b.time || a.order - b.order);
  const flying = new Set();
  for (const moment of moments) {
    if (moment.starts) flying.add(moment.starts);
    if (moment.ends) flying.delete(moment.ends);
    moment.flying = [...flying];
    moment.steps = moment.step && moment.part ? [[moment.step, moment.part]] : [];
  }
  if (plan.whole && run.whole) addSets(moments);
  return moments;
}

// `site[0].standard.state = started` for all that is written at a moment.
export function writesAt(moment) {
  return moment.steps.flatMap(([step, part]) => Object.entries(step[part] ?? {}).map(([cell, value]) =>
    ({ name: `${entities.get(step.entity)?.name ?? ''}.${step.interface}.${cell}`, value })));
}

// Cells of an entity after each of its steps, the first entry before all of them: as they
// went where there was a run, else as the plan has them.
export function historyOf(entity) {
  const cells = structuredClone(entity.cells ?? {});
  const history = [{ cells: structuredClone(cells) }];
  const add = (step, parts, time) => {
    Object.assign(cells[step.interface] ??= {}, ...parts.map((part) => step[part] ?? {}));
    history.push({ step, time, cells: structuredClone(cells) });
  };
  if (data.run && hasPlan && plan.whole && data.run.whole)
    for (const moment of momentsOf(data.run)) {
      for (const [step, part] of moment.steps) if (step.entity === entity.id && step[part]) add(step, [part], moment.time);
    }
  else
    for (const step of plan.steps)
      if (step.entity === entity.id && step.after_failure === undefined) add(step, ['entry', 'success']);
  return history;
}
