#!/usr/bin/env python3
"""Silver trees from gold Universal Dependencies: of a parser's best trees for each sentence, the one that agrees best with the gold heads.

    silver.py ewt-train.conllu.gz --out ewt.mrg [--tracebank PROGRAM] [--model MODEL]

The sentences are parsed with their gold tags, twenty trees each; every tree is converted to dependencies by `tracebank convert --to conllu` and
compared with gold. Punctuation does not count, nor do words inside names (`flat` and `compound`), which the two hang differently. A sentence is kept
if its best tree has nine heads of ten and four labels of five.
"""

import argparse
import gzip
import json
import pathlib
import subprocess
import tempfile

BEST = 20
LEAST_WORDS = 4
LEAST_HEADS = 0.9
LEAST_LABELS = 0.8
WITHIN_NAMES = {"flat", "compound"}


def sentences(lines):
    """The words of each sentence of a CoNLL-U file, without ranges and empty nodes: lists of columns."""
    words = []
    for line in lines:
        line = line.rstrip("\n")
        if not line:
            if words:
                yield words
            words = []
        elif not line.startswith("#"):
            columns = line.split("\t")
            if columns[0].isdigit():
                words.append(columns)
    if words:
        yield words


def relation(columns):
    """The relation of a word, without its subtype."""
    return columns[7].split(":")[0]


def agreement(found, gold):
    """The shares of words that have their gold head, and of those that have its relation as well."""
    pairs = [
        (f, g)
        for f, g in zip(found, gold)
        if g[3] != "PUNCT" and not {relation(f), relation(g)} <= WITHIN_NAMES
    ]
    heads = [(f, g) for f, g in pairs if f[6] == g[6]]
    labels = sum(relation(f) == relation(g) for f, g in heads)
    return len(heads) / max(1, len(pairs)), labels / max(1, len(pairs))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("conllu", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--tracebank", default="tracebank")
    parser.add_argument("--model", default="default")
    options = parser.parse_args()
    opened = gzip.open if options.conllu.suffix == ".gz" else open
    with opened(options.conllu, "rt", encoding="utf-8") as lines:
        gold = list(sentences(lines))

    with tempfile.TemporaryDirectory() as folder:
        tagged, answers, trees, found = (pathlib.Path(folder, name) for name in ("tagged", "json", "mrg", "conllu"))
        tagged.write_text("".join(" ".join(f"{w[1]}_{w[4]}" for w in words) + "\n" for words in gold), encoding="utf-8")
        subprocess.run(
            [options.tracebank, "parse", "--input", "tagged", "--dialect", "masc", "--model", options.model]
            + ["--best", str(BEST), "--output", "json", "--out", answers, tagged],
            check=True,
        )
        sentence_of = []
        with answers.open(encoding="utf-8") as lines, trees.open("w", encoding="utf-8") as out:
            for sentence, line in enumerate(lines):
                for tree in json.loads(line)["alternatives"]:
                    out.write(tree["tree"].strip() + "\n")
                    sentence_of.append(sentence)
        subprocess.run([options.tracebank, "convert", "--to", "conllu", "--out", found, trees], check=True)
        best = {}
        with found.open(encoding="utf-8") as lines, trees.open(encoding="utf-8") as texts:
            for sentence, words, tree in zip(sentence_of, sentences(lines), texts, strict=True):
                if len(words) == len(gold[sentence]) >= LEAST_WORDS:
                    heads, labels = agreement(words, gold[sentence])
                    # Of trees that agree as well as each other, the parser's own order decides: the first stays.
                    if sentence not in best or heads + labels / 2 > best[sentence][0]:
                        best[sentence] = (heads + labels / 2, heads >= LEAST_HEADS and labels >= LEAST_LABELS, tree)

    kept = [tree for _, (_, agrees, tree) in sorted(best.items()) if agrees]
    options.out.write_text("".join(kept), encoding="utf-8")
    print(f"{len(kept)} of {len(gold)} sentences")


if __name__ == "__main__":
    main()
