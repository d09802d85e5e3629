"""Recipes of short equal runs, one file each, in the current folder: recipes.py ROOT

ROOT is the root of the repository. $TREEBANKS, $ENCODERS and $SILVER are as in recipes/README.md; `self.mrg` in $SILVER has the parses of the same
sentences by `default`, unchecked.
"""

import gzip
import os
import pathlib
import re
import sys

STEPS = 800
ROOT = pathlib.Path(sys.argv[1]).resolve()
# Name, file, dialect, weight, thousands of words in sentences of at most 120.
ALL = [
    ("masc3", "$TREEBANKS/masc3-train.mrg.gz", "masc3", 1.5, 376.641),
    ("masc", "$TREEBANKS/masc-train.mrg.gz", "masc", 2.0, 67.640),
    ("genia", "$TREEBANKS/genia-train.mrg.gz", "genia", 0.6, 387.002),
    ("craft", "$TREEBANKS/craft-train.released.mrg.gz", "craft", 0.7, 527.395),
    ("questions", f"{ROOT}/treebank/questions.mrg", "masc", 2.0, 2.608),
    ("rare", f"{ROOT}/treebank/rare.mrg", "masc", 2.0, 2.575),
]
DEV = ["masc3-dev.mrg.gz", "masc-dev.mrg.gz", "genia-dev.mrg.gz", "craft-dev.released.mrg.gz"]
LEAF = re.compile(r"\(([^\s()]+) [^\s()]+\)")


def recipe(name, train=ALL, encoder="ms-marco-minilm-l12-repaired", layers=3, objective="crf", seed=1, rest=""):
    """Writes a recipe of so many steps: an epoch has as many as there are thousands of words, each times its weight."""
    epoch = sum(weight * words for *_, weight, words in train)
    parts = [f'name = "{name}"\npretrained = "$ENCODERS/{encoder}"\nleast = 2\n']
    parts += [f'[[train]]\nfile = "{file}"\ndialect = "{dialect}"\nweight = {weight}\n' for _, file, dialect, weight, _ in train]
    parts += [f'[[dev]]\nfile = "$TREEBANKS/{file}"\ndialect = "{file.split("-")[0]}"\n' for file in DEV]
    parts.append(
        f'[network]\ndropout = 0.2\n\n[network.encoder]\nkind = "pretrained"\nlayers = {layers}\ndropout = 0.1\nhidden_pieces = 0.1\n\n'
        "[tasks]\ntraces = 2.0\n"
    )
    if objective:
        parts.append(f'[structured]\nobjective = "{objective}"\nbegin = 0.35\ntasks = 0.5\n')
    parts.append(
        f"[schedule]\nepochs = {STEPS / epoch:.5f}\nwords_per_step = 1000\nrate = 1.2e-3\nencoder_rate = 2.5e-4\nfrozen = []\n"
        f'products = "bf16"\nseed = {seed}\nmeasure_every = {STEPS - 10}\nmeasure_sentences = 10000\n'
    )
    pathlib.Path(f"{name}.toml").write_text("\n".join([*parts, rest]))


def trees(text):
    """The trees of a file."""
    depth = start = 0
    for at, char in enumerate(text):
        if char == "(":
            if depth == 0:
                start = at
            depth += 1
        elif char == ")":
            depth -= 1
            if depth == 0:
                yield text[start : at + 1]


recipe("base")
recipe("seed2", seed=2)
recipe("common", rest='[representation]\ntargets = "common"\n')
recipe("no-masc3", [row for row in ALL if row[0] != "masc3"])
recipe("no-rare", [row for row in ALL if row[0] not in ("questions", "rare")])
recipe("tasks-alone", objective=None)
recipe("minilm", encoder="all-minilm-l6")
recipe("six-layers", layers=6)
recipe("silver", [*ALL, ("silver", "$SILVER/ewt.mrg", "masc", 1.0, 148.580)])
recipe("self", [*ALL, ("self", "$SILVER/self.mrg", "masc", 1.0, 200.0)])
masc3 = list(trees(gzip.open(os.environ["TREEBANKS"] + "/masc3-train.mrg.gz", "rt").read()))
for name, share in (("quarter", 1), ("half", 2)):
    # Runs of fifty trees, so that whole passages are there or not.
    some = [tree for at, tree in enumerate(masc3) if at // 50 % 4 < share]
    lengths = (sum(tag != "-NONE-" for tag in LEAF.findall(tree)) for tree in some)
    words = sum(length for length in lengths if length <= 120) / 1000
    pathlib.Path(f"{name}.mrg").write_text("\n".join(some) + "\n")
    recipe(name, [("masc3", f"{pathlib.Path.cwd()}/{name}.mrg", "masc3", 1.5, words), *ALL[1:]])
