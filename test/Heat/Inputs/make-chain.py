"""make-chain.py N FOLDER: templates t0.yaml … tN.yaml, each of which uses the next."""

import pathlib
import sys

count, folder = int(sys.argv[1]), pathlib.Path(sys.argv[2])
for i in range(count):
    text = f"heat_template_version: 2015-10-15\nresources:\n  n: {{ type: t{i + 1}.yaml }}\n"
    (folder / f"t{i}.yaml").write_text(text, encoding="utf-8")
(folder / f"t{count}.yaml").write_text("heat_template_version: 2015-10-15\n", encoding="utf-8")
