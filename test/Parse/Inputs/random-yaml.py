"""random-yaml FOLDER COUNT SEED: writes COUNT files of YAML as people write it, most of them
with a few characters changed at random."""

import os
import random
import sys

WORDS = ["a", "b1", "key", "some text", "a:b", "x-y", "-1", "3.5", "null", "~", "true", "<<",
         "http://h/p#q", "é", "$get", "a, b", "a] b", "..."]  # fmt: skip
QUOTED = ["'a b'", "'it''s'", '"x"', '"a\\nb"', '"tab\t"', "''", '"a: b # c"', "'two\n   lines'",
          '"folded\n\n  twice"', "'}'"]  # fmt: skip
CHANGES = list(" \n:-#,[]{}'\"&*!|>?%@~ax0\t\\.") + ["\n  ", ": ", "- ", " #", "---\n", "\r\n", "\ufeff"]


class Writer:
    def __init__(self, random_numbers):
        self.random = random_numbers

    def one_of(self, *choices):
        return self.random.choice(choices)

    def scalar(self, flow):
        words = [word for word in WORDS if not flow or not set(word) & set(",[]{}")]
        return self.random.choice(words if self.random.random() < 0.8 else QUOTED)

    def key(self):
        return self.one_of("a", "b", "c d", "'q'", '"r"', "e:f", "null", "-k", "&x k", "*x ")

    def flow(self, depth):
        choice = self.random.random()
        if depth > 3 or choice < 0.6:
            return self.one_of("", "", "", "&x ") + self.scalar(True)
        if choice < 0.65:
            return "*x"
        separator = self.one_of(", ", ",", ",\n ", " , ", " # c\n, ")
        if choice < 0.8:
            entries = [self.flow(depth + 1) for _ in range(self.random.randrange(4))]
            if self.random.random() < 0.2:
                entries.append(self.key() + ": " + self.flow(depth + 1))
            return self.one_of("[", "[ ") + separator.join(entries) + self.one_of("]", " ]", ", ]")
        colon = self.one_of(": ", ": ", " : ", ":", ":\n  ")
        entries = [
            self.key() + colon + self.one_of("", self.flow(depth + 1), self.flow(depth + 1))
            for _ in range(self.random.randrange(4))
        ]
        return self.one_of("{", "{ ") + separator.join(entries) + self.one_of("}", " }", ",}")

    def line_end(self):
        return self.one_of("", "", "", " ", " # c", "\n", "\n# c", "\n      # c") + "\n"

    def block_text(self, indent):
        lines = ["" if self.random.random() < 0.2 else " " * (indent + self.one_of(2, 2, 2, 4))
                 + self.scalar(True) for _ in range(self.random.randrange(1, 4))]  # fmt: skip
        return self.one_of("|", ">", "|-", ">-", ">+") + "\n" + "\n".join(lines)

    def value(self, indent):
        """What follows a key or a dash, with the end of its line."""
        choice = self.random.random()
        if indent < 8 and choice < 0.3:
            deeper = indent + self.one_of(1, 2, 2, 2, 4)
            return self.one_of("", "", " &x") + self.line_end() + self.block(deeper)
        if choice < 0.6:
            return " " + self.scalar(False) + self.line_end()
        if choice < 0.75:
            return " " + self.flow(0) + self.line_end()
        if choice < 0.8:
            return " " + self.block_text(indent) + "\n"
        if choice < 0.85:
            margin = "\n" + " " * (indent + 2)
            return " " + margin.join(self.scalar(False) for _ in range(3)) + self.line_end()
        return self.one_of("", " *x", " &x y") + self.line_end()

    def block(self, indent):
        margin = " " * indent
        entries = range(self.random.randrange(1, 4))
        if self.random.random() < 0.6:
            return "".join(margin + self.key() + ":" + self.value(indent) for _ in entries)
        return "".join(margin + "-" + self.entry(indent) for _ in entries)

    def entry(self, indent):
        choice = self.random.random()
        if indent < 8 and choice < 0.4:
            gap = self.one_of(1, 1, 1, 3)
            return " " * gap + self.block(indent + 1 + gap).lstrip(" ")
        return self.value(indent)

    def file(self):
        text = self.one_of("", "", "# c\n", "---\n") + "tosca_definitions_version: tosca_2_0\n"
        text += "dsl_definitions: &x\n  key: word\nmetadata:\n" + self.block(2)
        for _ in range(self.one_of(0, 0, 1, 1, 2, 3)):
            place = self.random.randrange(len(text) + 1)
            new = self.random.choice(["", *CHANGES])
            text = text[:place] + new + text[place + self.one_of(0, 0, 1) :]
        return text


def main():
    folder, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    os.makedirs(folder, exist_ok=True)
    writer = Writer(random.Random(seed))
    for number in range(count):
        path = os.path.join(folder, f"{number}.yaml")
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(writer.file())


if __name__ == "__main__":
    main()
