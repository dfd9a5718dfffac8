"""Writes expressions as deep as the YAML reader lets through."""


def nest(depth, opening, inside, closing):
    return opening * depth + inside + closing * depth


LIST = nest(480, "[", "", "]")
print("evaluate:")
print("-", nest(490, "[", "", "]"))
print("- { $equal: [", LIST, ",", LIST, "] }")
print("- { $length: { $union: [ [", LIST, "], [", LIST, "] ] } }")
print("-", nest(240, "{ $not: [ ", "true", " ] }"))
