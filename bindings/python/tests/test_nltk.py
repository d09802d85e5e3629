"""NLTK."""

from __future__ import annotations

import pathlib

import pytest

import tracebank

nltk = pytest.importorskip("nltk")

from nltk.parse.api import ParserI  # noqa: E402

import tracebank.nltk  # noqa: E402


def test_trees_go_both_ways(treebank: pathlib.Path) -> None:
    for tree in tracebank.read_trees(treebank / "masc-sample.mrg", dialect="masc"):
        assert tracebank.Tree.from_nltk(tree.to_nltk()) == tree
    odd = nltk.Tree("NP", [nltk.Tree("NN", ["New York"]), nltk.Tree("NN", ["(x)"])])
    assert tracebank.Tree.from_nltk(odd).words == ("New_York", "-LRB-x-RRB-")
    deep = nltk.Tree("X", [nltk.Tree("N", ["a"])])
    for _ in range(5000):
        deep = nltk.Tree("X", [deep])
    assert tracebank.Tree.from_nltk(deep).words == ("a",)


def test_the_parser_is_a_parser_of_nltk(parser: tracebank.Parser, sentences: list[str]) -> None:
    ours = tracebank.nltk.TracebankParser(parser)
    assert isinstance(ours, ParserI)
    trees = [next(found) for found in ours.raw_parse_sents(sentences[:20])]
    assert [str(tracebank.Tree.from_nltk(tree)) for tree in trees] == [str(parser.parse(text)) for text in sentences[:20]]
    words = [list(parser.parse(text).tree.words) for text in sentences[:5]]
    assert [next(found) for found in ours.parse_sents(words)] == [ours.parse_one(one) for one in words]
    assert next(ours.raw_parse(sentences[0])) == trees[0]
    assert next(ours.tagged_parse([("They", "PRP"), ("fish", "VBP")])).pos()[:2] == [("They", "PRP"), ("fish", "VBP")]
    best = tracebank.nltk.TracebankParser(parser, alternatives=3)
    assert len(list(best.raw_parse("I saw the man with the telescope."))) == 3


def test_files_are_a_corpus(treebank: pathlib.Path) -> None:
    corpus = tracebank.nltk.TracebankCorpusReader(treebank, "craft-sample.mrg", dialect="craft")
    assert corpus.fileids() == ["craft-sample.mrg"]
    trees, sents, tagged = list(corpus.parsed_sents()), list(corpus.sents()), list(corpus.tagged_sents())
    assert len(trees) == len(sents) == len(tagged) > 10
    assert [word for word, _ in tagged[0]] == sents[0] and list(corpus.words())[: len(sents[0])] == sents[0]
