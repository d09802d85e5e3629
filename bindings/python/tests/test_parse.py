"""The parser and its objects."""

from __future__ import annotations

import json
import pathlib
import pickle
import subprocess
import sys
import warnings

import pytest

import tracebank

BOOK = "Which book did she want to buy?"


def test_the_five_lines_of_the_readme() -> None:
    parse = tracebank.Parser().parse(BOOK)
    assert [null.description for null in parse.nulls] == [
        "*-2 = she, subject of buy",
        "*T*-1 = Which book, object of buy",
    ]
    book = parse.nulls[1]
    assert (book.kind, book.antecedent.text, book.antecedent.label) == ("*T*", "Which book", "WHNP-1")
    assert (book.role, book.predicate.text, book.host.category) == ("object", "buy", "VP")
    assert [token.source for token in parse.tokens] == ["Which", "book", "did", "she", "want", "to", "buy", "?"]
    assert [(token.start, token.end) for token in parse.tokens][:2] == [(0, 5), (6, 10)]


def test_json_is_that_of_the_command_line(parser: tracebank.Parser, sentences: list[str], tmp_path: pathlib.Path) -> None:
    file = tmp_path / "in.txt"
    file.write_text("\n".join(sentences) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "tracebank", "parse", "--quiet", "--model", "fast", "--input", "lines", "--output", "json"]
    done = subprocess.run([*command, "--best", "2", str(file)], capture_output=True, check=True)
    lines = done.stdout.decode().splitlines()
    wanted = [line[: line.rindex(',"origin":')] + "}" for line in lines]
    best = parser.with_options(alternatives=2)
    # Sentences have offsets of their own here, and those of their file there.
    def placed(line: str) -> dict[str, object]:
        found = json.loads(line)
        del found["document"], found["relations"]
        for token in found["tokens"]:
            del token["document_chars"]
        return found

    ours = list(best.write_many(sentences, "json"))
    assert [placed(line) for line in ours] == [placed(line) for line in wanted]
    assert ours[0] == wanted[0]
    assert [parse.to_json() for parse in best.parse_many(sentences)] == ours


def test_offsets_count_characters(parser: tracebank.Parser) -> None:
    text = "Zoë’s 😀 friends (both) didn't go — “really”."
    parse = parser.parse(text)
    assert parse.text == text
    for token in parse.tokens:
        assert token.source and token.source == text[token.start : token.end]
    assert "".join(token.source for token in parse.tokens) == text.replace(" ", "")
    texts = parser.parse_text("One came. 😀 Two left.")
    assert [parse.start for parse in texts] == [0, 10]


def test_phrases_and_relations_hang_together(parser: tracebank.Parser) -> None:
    parse = tracebank.Parser().parse("The company, which was bought by Google, wants to sell its plant.")
    for phrase in parse.phrases:
        assert phrase in (phrase.parent.children if phrase.parent else [phrase])
        assert phrase.text == " ".join(token.source for token in phrase.tokens).replace(" ,", ",") or "," in phrase.text
    relation = parse.relations[0]
    assert str(relation) == "bought  subject=Google (by)  object=The company (which → trace)"
    assert (relation.predicate.voice, relation["object"].text, relation["object"].surface) == ("passive", "The company", "subject")
    assert relation["subject"].preposition == "by"
    assert [null.kind for null in relation["object"].nulls][-1:] == ["*"] or relation["object"].nulls
    with pytest.raises(KeyError):
        relation["instrument"]
    assert parse.tokens[0].head == parse.tokens[1]


def test_equality_hash_and_pickle(parser: tracebank.Parser, sentences: list[str]) -> None:
    rich = parser.with_options(alternatives=3, probabilities=True)
    for text in [*sentences[:40], "", "  ", "a " * 1200, "( [ { \u2009 } ] )"]:
        parse = rich.parse(text)
        again = pickle.loads(pickle.dumps(parse))
        assert again == parse and hash(again) == hash(parse)
        assert again.to_json() == parse.to_json()
        for form in tracebank.FORMS:
            assert again.to(form) == parse.to(form), form
        assert again.svg() == parse.svg() and again.alternatives == parse.alternatives
        for part in (*parse.tokens[:3], *parse.phrases[:3], *parse.nulls, *parse.relations):
            assert pickle.loads(pickle.dumps(part)) == part
    one, other = parser.parse("They left."), parser.parse("They stayed.")
    assert one != other and one != "They left." and one.tokens[0] != other.tokens[0]
    assert len({one, other, parser.parse("They left.")}) == 2
    assert one.tokens[0] != one.phrases[0]


def test_a_sentence_without_a_parse_says_so(parser: tracebank.Parser) -> None:
    for text, outcome in [("", "empty"), ("a " * 1001, "too-long")]:
        parse = parser.parse(text)
        assert (parse.outcome, parse.has_parse, parse.nulls, parse.relations) == (outcome, False, (), ())
        assert repr(parse).startswith("<Parse ")
    assert parser.with_options(max_words=2000).parse("a " * 1001).outcome != "too-long"


def test_options(parser: tracebank.Parser) -> None:
    text = "They want to leave."
    assert "-NONE-" in str(parser.parse(text).tree)
    assert "-NONE-" not in str(parser.with_options(traces=False).parse(text).tree)
    assert "NP-SBJ" not in str(parser.with_options(functions=False).parse(text).tree)
    assert parser.with_options(probabilities=True).parse(text).nulls[0].probability is not None
    assert parser.parse(text).probability is None
    assert len(parser.with_options(alternatives=3).parse(text).alternatives) == 3
    assert repr(parser.with_options(dialect="masc")) == "Parser('fast', dialect='masc')"
    for bad in [{"threads": 0}, {"max_words": 0}, {"min_probability": 2}, {"seconds": -1}, {"memory": 1}, {"structure": "x"}]:
        with pytest.raises(ValueError):
            parser.with_options(**bad)
    with pytest.raises(tracebank.DialectError):
        parser.with_options(dialect="klingon")
    with pytest.raises(TypeError):
        parser.with_options(unknown=1)


def test_tags_are_kept(parser: tracebank.Parser) -> None:
    assert parser.parse_tokens(["They", "fish"], ["PRP", "VBP"]).tree.tags == ("PRP", "VBP")
    with pytest.raises(TypeError):
        parser.parse_tokens("They fish")
    with pytest.raises(ValueError):
        parser.parse_tokens(["a"], ["DT", "NN"])


def test_warnings_only_if_asked(parser: tracebank.Parser) -> None:
    text = " and ".join(["the man who the dog that they saw bit left"] * 6)
    hurried = parser.with_options(seconds=1e-9)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert hurried.parse(text).is_approximate
    with pytest.warns(tracebank.ApproximateWarning):
        hurried.with_options(warn_approximate=True).parse(text)


def test_models_are_shared_and_errors_differ(tmp_path: pathlib.Path) -> None:
    one, two = tracebank.Parser("fast"), tracebank.Parser("fast", threads=1, functions=False)
    assert one._base is two._base and one != two and one == tracebank.Parser("fast")
    assert pickle.loads(pickle.dumps(two)) == two and hash(pickle.loads(pickle.dumps(two))) == hash(two)
    with pytest.raises(tracebank.ModelNotFoundError) as missing:
        tracebank.Parser(tmp_path / "none.tbm")
    assert isinstance(missing.value, FileNotFoundError) and "none.tbm" in str(missing.value)
    damaged = tmp_path / "damaged.tbm"
    damaged.write_bytes(b"tracebnk\x01\0\0\0")
    with pytest.raises(tracebank.DamagedModelError):
        tracebank.Parser(damaged)
    model = pathlib.Path(__file__).parents[3] / "crates/tracebank/models/fast.tbm"
    assert tracebank.Parser(model).parse("They left.") == one.parse("They left.")


def test_trees(treebank: pathlib.Path, tmp_path: pathlib.Path) -> None:
    trees = list(tracebank.read_trees(treebank / "craft-sample.mrg", dialect="craft"))
    assert len(trees) > 10
    tracebank._tree.write_trees(tmp_path / "again.mrg", trees)
    assert list(tracebank.read_trees(tmp_path / "again.mrg")) == trees
    tree = trees[0]
    assert pickle.loads(pickle.dumps(tree)) == tree and len({tree, pickle.loads(pickle.dumps(tree))}) == 1
    assert tree.parse.outcome == "given" and tree.parse.to_dict()["tree"] == str(tree)
    assert "-NONE-" not in str(tree.without_traces())
    assert tree.svg().startswith("<svg") and tree._repr_svg_() == tree.svg()
    for form in [*tracebank.FORMS, "tagged", "shp"]:
        assert tree.to(form)
    nodes = tree.nodes
    assert nodes[0] == tree.top and all(node.parent in nodes for node in nodes[1:])
    assert all(pickle.loads(pickle.dumps(node)) == node for node in nodes[:5])


def test_bad_trees_have_their_place(tmp_path: pathlib.Path) -> None:
    with pytest.raises(tracebank.TreeError) as error:
        tracebank.Tree("(S\n  (NP a) b))")
    assert error.value.line >= 1 and str(error.value)
    file = tmp_path / "bad.mrg"
    file.write_text("(NP (N a))\n(NP )\n(NP (N b))\n")
    reader = tracebank.read_trees(file)
    assert next(reader).words == ("a",)
    with pytest.raises(tracebank.TreeError) as error:
        next(reader)
    assert (error.value.line, error.value.file) == (2, str(file))
    assert next(reader).words == ("b",)
    with pytest.raises(FileNotFoundError):
        tracebank.read_trees(tmp_path / "none.mrg")
    with pytest.raises(ValueError):
        tracebank.Tree("(S (NP a))", dialect="klingon")
    assert pickle.loads(pickle.dumps(error.value)).line == 2


def test_search_and_evaluation(parser: tracebank.Parser, treebank: pathlib.Path) -> None:
    trees = list(tracebank.read_trees(treebank / "craft-sample.mrg", dialect="craft"))
    pattern = tracebank.Pattern("NP=np < (-NONE-=null)")
    found = list(pattern.search(trees))
    assert found and all(match["null"].parent == match["np"] for _, match in found)
    assert pickle.loads(pickle.dumps(pattern)) == pattern
    assert tracebank.Pattern.named("object-relative").text
    with pytest.raises(tracebank.PatternError) as error:
        tracebank.Pattern("NP < (VP << )")
    assert (error.value.start, error.value.pattern) == (12, "NP < (VP << )")
    guesses = list(parser.parse_many([tree.words for tree in trees]))
    evaluation = tracebank.evaluate(trees, guesses)
    assert evaluation.sentences == len(trees) and evaluation.unaligned == ()
    assert 40 < evaluation.scores["evalb"].f1 < 100 and "evalb" in str(evaluation).lower()
    assert pickle.loads(pickle.dumps(evaluation)) == evaluation
    rows = tracebank.compare(trees, guesses, trees, samples=100)
    assert any(row.difference != 0 for row in rows)
    assert "<rect" in tracebank.draw_comparison(trees[0], guesses[0].tree)
