"""Writes expressions that multiply or nest without bound."""

CHAIN = 600
LIST = list(range(100000))

print("inputs:")
print("  loop: { $get_input: loop }")
print("  i0: 0")
for i in range(CHAIN):
    print("  i%d: { $sum: [ { $get_input: i%d }, 1 ] }" % (i + 1, i))
print("typed:")
print("  many: [ list,", LIST, "]")
print("  deep: [ list,", "[" * 480 + "]" * 480, "]")
print("evaluate:")
print("- {$length: {$get_input: many}}")
print("- [", ", ".join(["{$get_input: many}"] * 700), "]")
print("- {$length:", "[" * 18 + "{$get_input: deep}" + "]" * 18, "}")
print("-", "[" * 21 + "{$get_input: deep}" + "]" * 21)
print("- { $get_input: i200 }")
print("- { $get_input: i%d }" % CHAIN)
print("- { $get_input: loop }")
print("- {$length: {$union: [{$get_input: many}, {$get_input: many}]}}")
print("- {$length: {$intersection: [{$get_input: many}, {$get_input: many}]}}")
print("- {$has_all_entries: [{$get_input: many}, {$get_input: many}]}")
