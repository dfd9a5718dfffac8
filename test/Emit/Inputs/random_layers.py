"""Random plans of rows of calls, whose instances are alike in part."""


def predecessors(rng, index, rows):
    """What step `index` of a row waits for: nothing of an earlier row, its
    counterpart there, some, or all, perhaps by way of a join."""
    result = []
    for row, how in rows:
        if how == "each" and index < len(row):
            result.append(row[index])
        elif how == "all":
            result += row
        elif how == "some":
            result += rng.sample(row, min(len(row), 2))
    return sorted(set(result))


def add_exclusions(rng, steps, rows):
    """Some steps must not overlap their counterpart of another row, or one not any of it."""
    for _ in range(rng.choice([0, 0, 1, 2])):
        if len(rows) < 2:
            return
        earlier, later = sorted(rng.sample(rows, 2))
        pairs = list(zip(later, earlier))
        if rng.random() < 0.5:
            pairs = [(later[0], each) for each in earlier]
        for step, other in pairs:
            if other not in above(steps, step):
                own = steps[step].setdefault("excludes", [])
                own[:] = sorted({*own, other})


def above(steps, step):
    found, work = set(), [step]
    while work:
        new = set(steps[work.pop()]["deps"]) - found
        found |= new
        work += new
    return found


def order_of(step):
    """What engines that know nothing but an order let it wait for."""
    return step["deps"] + step.get("excludes", [])


def make_plan(rng, choices=(1, 2, 40, 90, 130), short=0):
    """Each row has as many calls as one of the choices says; so many of ten are short."""
    steps, rows = [], []
    sizes = [rng.choice(choices) for _ in range(rng.randint(1, 4))]
    for operation in range(rng.randint(2, 8)):
        template = rng.randrange(len(sizes))
        chosen = [(row, rng.choice(["each", "each", "all", "some"]))
                  for row in rng.sample(rows, min(len(rows), rng.randint(0, 2)))]  # fmt: skip
        for n, (row, how) in enumerate(chosen):
            if how == "all" and len(row) > 1:
                steps.append({"id": len(steps), "kind": "join", "deps": row})
                chosen[n] = ([len(steps) - 1], how)
        is_alike = rng.random() < 0.6
        limit = {"timeout": 5} if rng.randrange(10) < short else {}
        row = []
        for index in range(sizes[template]):
            name = f"t{template}[{index}].i.o{operation}" + ("" if is_alike else f"x{index}")
            row.append(len(steps))
            steps.append({"id": len(steps), "name": name, "kind": "call", "entity": 0,
                          "interface": "i", "operation": "o",
                          "deps": predecessors(rng, index, chosen),
                          "handlers": [{"artifact": 0}], **limit})  # fmt: skip
        rows.append(row)
    add_exclusions(rng, steps, rows)
    return {
        "plan": 1, "workflow": {"name": "deploy"},
        "entities": [{"id": 0, "name": "t0[0]", "kind": "node", "template": "t0",
                      "index": 0, "type": "A"}],
        "artifacts": [{"id": 0, "type": "Bash", "file": "step.sh", "sha256": "00"}],
        "steps": steps}  # fmt: skip
