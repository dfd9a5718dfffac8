// The data of the page, and the questions that views ask of them. Nothing is planned
// here: what waits for what, and what a failure leads to, comes with the data.

// Of a page that is served, some of it is replaced when there is something new.
export const data = JSON.parse(document.getElementById('data').textContent);

export const hasPlan = data.plan !== undefined;
export const plan = data.plan ?? { service: data.run?.deployment ?? document.title, inputs: {}, values: {}, totals: {}, figures: {}, families: [], entities: [], artifacts: [], boxes: [], critical: [], whole: true, steps: [] };
export const isCompiled = data.graph !== undefined;
export const graph = data.graph ?? { templates: [], requirements: [], machines: [] };

export const steps = new Map(plan.steps.map((step) => [step.id, step]));
export const entities = new Map(plan.entities.map((entity) => [entity.id, entity]));
const templates = new Map(graph.templates.map((each) => [each.name, each]));
const requirements = new Map(graph.requirements.map((each) => [each.name, each]));
const familyNumbers = new Map(plan.families.map((family, i) => [family.name, i]));

export function templateOf(family) {
  return (family.kind === 'relationship' ? requirements : templates).get(family.name);
}

export function entitiesOf(number) {
  return plan.entities.filter((entity) => entity.family === number);
}

export function boxesOf(number) {
  return plan.boxes.map((box, i) => i).filter((i) => plan.boxes[i].family === number);
}

// Boxes that wait for each box.
export const boxesAfter = plan.boxes.map(() => []);
plan.boxes.forEach((box, i) => box.after.forEach((before) => boxesAfter[before].push(i)));

// The steps of a box that are told one by one.
export function stepsOf(number) {
  return plan.steps.filter((step) => step.box === number);
}

export function failureStepsOf(step) {
  return plan.steps.filter((each) => each.after_failure === step);
}

// The machine that has the interface of a family.
export function machineOf(familyName, interfaceName) {
  return graph.machines.findIndex((machine) =>
    machine.interface === interfaceName && machine.owners.includes(familyName));
}

export function operationOf(box) {
  const machine = graph.machines[machineOf(plan.families[box.family].name, box.interface)];
  return machine?.operations.find((operation) => operation.name === box.operation);
}

// The family that the path of a trigger leads to from each of `names`.
export function followPath(names, path) {
  let at = new Set(names.map((name) => familyNumbers.get(name)).filter((number) => number !== undefined));
  for (const { step, name } of path) {
    const next = new Set();
    plan.families.forEach((family, i) => {
      if (step === 'NODE' && family.kind === 'node' && family.own === name) next.add(i);
      if (step === 'SERVICE' && family.kind === 'service') next.add(i);
      if (family.kind !== 'relationship') return;
      const leadsHere = family.targets.some((target) => at.has(target.family));
      if (step === 'RELATIONSHIP' && at.has(family.source) && (!name || family.own === name)) next.add(i);
      if (step === 'CAPABILITY' && leadsHere && (!name || family.capability === name)) next.add(i);
      if (!at.has(i)) return;
      if (step === 'SOURCE') next.add(family.source);
      if (step === 'TARGET') family.targets.forEach((target) => next.add(target.family));
      if (step === 'EARLIER' || step === 'LATER')
        plan.families.forEach((other, j) => other.source === family.source && next.add(j));
    });
    at = next;
  }
  return [...at].map((number) => plan.families[number].name);
}

// How relationships of a family meet their targets: `3:2`, pairs, mesh.
export function multiplicity(target) {
  const { count, sources, targets } = target;
  if (count === 1) return '1:1';
  if (sources === count && targets === count) return `${count} pairs`;
  if (count === sources * targets && sources > 1 && targets > 1) return `${sources}:${targets} mesh`;
  if (targets === 1 || sources === 1) return `${sources}:${targets}`;
  return `${sources}:${targets}, ${count} in all`;
}

// What a plan alone tells of machines: through which values it takes the cells of each
// interface, by which operations.
function observedMachines() {
  const machines = new Map();
  const byFamily = new Map();
  for (const entity of plan.entities)
    for (const name of Object.keys(entity.cells ?? {})) {
      const key = JSON.stringify([entity.family, name]);
      if (!byFamily.has(key)) byFamily.set(key, []);
      byFamily.get(key).push(entity);
    }
  for (const [key, entities] of byFamily) {
    const [family, name] = JSON.parse(key);
    const cells = observeCells(entities, name);
    const operations = [...new Set(boxesOf(family).filter((i) => plan.boxes[i].interface === name).map((i) => plan.boxes[i].operation))];
    if (!operations.length) continue;
    const diagrams = [...cells].filter(([, cell]) => cell.values.size <= maxObservedValues && cell.edges.size).map(([cell, { initial, values, edges }]) =>
      ({ cell, initial, values: [...values], edges: [...edges.values()] }));
    const same = JSON.stringify([name, plan.families[family].type, diagrams, operations]);
    if (!machines.has(same))
      machines.set(same, { interface: name, type: '', owners: [], observed: true, diagrams, operations: operations.map((operation) => ({ name: operation })), rules: [], intents: [], promises: [],
        cells: [...cells].map(([cell, { initial, values }]) => ({ name: cell, initial, domain: [...values].slice(0, maxObservedValues) })) });
    machines.get(same).owners.push(plan.families[family].name);
  }
  return [...machines.values()];
}

const maxObservedValues = 12;

// By cell of interface `name`: the values that `entities` go through, and how.
function observeCells(entities, name) {
  const cells = new Map();
  const note = (cell, value) => {
    if (!cells.has(cell)) cells.set(cell, { initial: value, values: new Set(), edges: new Map() });
    cells.get(cell).values.add(value);
  };
  const text = (value) => (typeof value === 'string' ? value : JSON.stringify(value));
  for (const entity of entities) {
    const now = new Map(Object.entries(entity.cells[name]).map(([cell, value]) => [cell, text(value)]));
    for (const [cell, value] of now) note(cell, value);
    const go = (writes, step, fails, from) => {
      for (const [cell, value] of Object.entries(writes ?? {})) {
        const to = text(value);
        note(cell, to);
        const edge = { from: from.get(cell) ?? to, to, operation: operationName(step), ...(fails ? { fails: true } : {}) };
        if (edge.from !== to) cells.get(cell).edges.set(JSON.stringify(edge), edge);
        if (!fails) from.set(cell, to);
      }
    };
    for (const step of plan.steps) {
      if (step.entity !== entity.id || step.interface !== name || step.after_failure !== undefined) continue;
      go(step.entry, step, false, now);
      go(step.failure, step, true, now);
      go(step.success, step, false, now);
    }
  }
  return cells;
}

function operationName(step) {
  return plan.boxes[step.box]?.operation ?? step.name;
}

if (!isCompiled) graph.machines = observedMachines();
