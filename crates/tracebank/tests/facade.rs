//! The parser as a user of the library meets it, with a scorer that knows the treebank of the tests by heart.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use tracebank::{
    BrokenStream, Error, Input, InputFormat, Limits, Options, Outcome, OutputFormat, Parse, Parser, Progress,
    Sentence, parse_stream, read, testing,
};
use tracebank_syntax::class::Structure;
use tracebank_syntax::penn;
use tracebank_syntax::tree::Tree;

fn treebank() -> Vec<Tree> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../treebank/handmade.mrg");
    let trees = penn::Reader::new(penn::Input::open(&path).unwrap().stream).map(Result::unwrap);
    trees.filter(|tree| tree.words().next().is_some()).collect()
}

fn parser() -> Parser {
    testing::parser(&treebank(), &["penn"])
}

const BOOK: &str = "( (SBARQ (WHNP-1 (WDT Which) (NN book)) (SQ (VBD did) (NP-SBJ-2 (PRP she)) (VP (VB want) (S (NP-SBJ (-NONE- *-2)) (VP (TO to) (VP (VB buy) (NP (-NONE- *T*-1))))))) (. ?)))";

#[test]
fn a_sentence_comes_back_as_its_tree_with_all_there_is_to_know() {
    let parse = parser().parse("Which book did she want  to buy?");
    assert_eq!(parse.tree.to_string(), BOOK);
    assert_eq!(parse.outcome, Outcome::Exact);
    let words: Vec<_> =
        parse.tokens.iter().map(|token| (&*token.text, &*token.tag, token.bytes.clone())).collect();
    assert_eq!(words[4..6], [("want", "VB", 19..23), ("to", "TO", 25..27)]);
    let nulls = parse.nulls();
    let [she, book] = &nulls[..] else { panic!("{nulls:?}") };
    assert_eq!((&*she.kind, she.before), ("*", 5));
    assert_eq!(she.phrase.as_ref().map(|phrase| &*phrase.label), Some("NP-SBJ"));
    assert_eq!(book.describe(), "*T*-1 = Which book, object of buy");
    assert_eq!((&*book.host.label, book.before), ("VP", 7));
    let antecedent = book.antecedent.as_ref().unwrap();
    assert_eq!(
        (&*antecedent.label, antecedent.tokens.clone(), &*antecedent.words),
        ("WHNP", 0..2, "Which book")
    );
    assert_eq!(book.overt.as_ref(), Some(antecedent));
    assert_eq!(parse.confidence.len(), 8);
}

#[test]
fn the_ways_in_agree() {
    let parser = parser();
    let (one, two) = ("We like running.", "Which book did she want to buy?");
    let trees = |parses: Vec<Parse>| parses.into_iter().map(|parse| parse.tree).collect::<Vec<_>>();
    let batch = trees(parser.parse_batch(&[one, two]));
    assert_eq!(trees(parser.parse_text(&format!("{one} {two}"))), batch);
    assert_eq!(trees(vec![parser.parse(one), parser.parse(two)]), batch);
    assert_eq!(parser.parse_tokens(&["We", "like", "running", "."]).tree, batch[0]);
    let parses = parser.parse_text(&format!("{one}\n\n “{two}”"));
    assert_eq!((parses[0].start, parses[1].start, parses[1].start_char), (0, 19, 19));
    assert_eq!(parses[1].tokens[1].chars, 1..6);
    assert_eq!(parses[1].tokens[1].bytes, 3..8);
}

#[test]
fn options_change_what_they_say() {
    let tree = |options| parser().with_options(options).unwrap().parse("We like running.").tree.to_string();
    assert_eq!(
        tree(Options { functions: false, ..Options::default() }),
        "( (S (NP-1 (PRP We)) (VP (VBP like) (S (NP (-NONE- *-1)) (VP (VBG running)))) (. .)))"
    );
    assert_eq!(
        tree(Options { traces: false, ..Options::default() }),
        "( (S (NP-SBJ (PRP We)) (VP (VBP like) (S (VP (VBG running)))) (. .)))"
    );
    assert!(!tree(Options { structure: Structure::ProjectiveTree, ..Options::default() }).contains("-1"));
    let limited = Options { max_words: 3, ..Options::default() };
    assert_eq!(tree(limited), "( (X-FAILED (XX We) (XX like) (XX running) (XX .)))");
    let error = parser().with_options(Options { dialect: Some("klingon".into()), ..Options::default() });
    assert_eq!(
        error.err().unwrap().to_string(),
        "the model does not know the dialect \"klingon\"; it knows penn"
    );
}

#[test]
fn penn_is_made_of_masc() {
    let masc = "( (S (NP-SBJ-1 (PRP We)) (VP (VBP want) (S (NP-SBJ (-NONE- *PRO*-1)) (VP (TO to) (VP (VB pay) (NP ($ $) (CD 5)))))) (. .)))";
    let penn = masc.replace("*PRO*", "*").replace("(CD 5)", "(CD 5) (-NONE- *U*)");
    let tree = |dialect: Option<&str>| {
        let parser = testing::parser(&[masc.parse().unwrap()], &["genia", "masc"]);
        let options = Options { dialect: dialect.map(str::to_owned), ..Options::default() };
        parser.with_options(options).unwrap().parse("We want to pay $5.").tree.to_string()
    };
    assert_eq!(tree(None), penn);
    assert_eq!(tree(Some("penn")), penn);
    assert_eq!(tree(Some("masc")), masc);
}

#[test]
fn nothing_to_parse_is_marked_and_hostile_words_can_be_held() {
    let parser = parser();
    let empty = parser.parse("  ");
    assert_eq!(
        (empty.outcome, empty.tree.to_string()),
        (Outcome::Empty, "( (X-EMPTY (-NONE- 0)))".to_owned())
    );
    let parse = parser.parse_tokens(&["(", "", "a b", "\0", "*T*-1"]);
    let again: Tree = parse.tree.to_string().parse().unwrap();
    assert_eq!(again.words().collect::<Vec<_>>(), ["-LRB-", "_", "a_b", "\0", "*T*-1"]);
}

#[test]
fn threads_do_not_change_the_answer() {
    let parser = parser();
    let sentences: Vec<Sentence> = (0..300)
        .map(|n| {
            Sentence::of_words(&(0..n % 23).map(|word| format!("w{}", (n * word) % 17)).collect::<Vec<_>>())
        })
        .collect();
    let answers = |threads| {
        let parser = parser.with_threads(threads).unwrap();
        assert_eq!(parser.with_options(Options::default()).unwrap().threads(), threads);
        let parses = parser.parse_sentences(&sentences);
        parses.into_iter().map(|parse| (parse.tree.to_string(), parse.outcome)).collect::<Vec<_>>()
    };
    let one = answers(1);
    assert_eq!(one.len(), 300);
    assert_eq!(one, answers(2));
    let words = |tree: &str| tree.parse::<Tree>().unwrap().words().map(str::to_owned).collect::<Vec<_>>();
    for ((tree, _), sentence) in one.iter().zip(&sentences) {
        assert_eq!(words(tree), sentence.tokens.iter().map(|token| token.text.clone()).collect::<Vec<_>>());
    }
}

#[test]
fn a_batch_tells_how_far_it_is_and_stops_when_told() {
    let parser = parser().with_threads(2).unwrap();
    let sentences: Vec<Sentence> = (0..600).map(|n| Sentence::of_words(&vec!["a"; n % 30])).collect();
    let progress = Progress::default();
    let places = parser.parse_each(&sentences, &progress, |place, parse| (place, parse.tokens.len()));
    let expected: Vec<_> = sentences.iter().map(|sentence| sentence.tokens.len()).enumerate().collect();
    assert_eq!(places, Some(expected));
    assert_eq!(progress.answered(), sentences.len());

    let progress = Progress::default();
    let found = std::thread::scope(|scope| {
        scope.spawn(|| {
            while progress.answered() < 20 {
                std::thread::yield_now();
            }
            progress.stop();
        });
        let many: Vec<&Sentence> = sentences.iter().cycle().take(20 * sentences.len()).collect();
        parser.parse_each(&many, &progress, |place, _| place)
    });
    assert_eq!(found, None);
    assert!(progress.answered() < 20 * sentences.len(), "it went on to the end");
}

fn inputs(text: &str, format: InputFormat) -> impl Iterator<Item = Result<Input, BrokenStream>> {
    let bytes = std::io::Cursor::new(text.as_bytes().to_vec());
    read(Box::new(bytes), "f", format, parser().tokeniser(), Limits::default())
}

fn lines(text: &str, input: InputFormat, output: OutputFormat) -> (Vec<String>, tracebank::Summary) {
    let mut lines = Vec::new();
    let each = |input: &Input, parse: &Parse| {
        let mut line = String::new();
        output.write(
            tracebank::Record { parse, id: input.id.as_ref(), origin: Some(&input.origin) },
            &mut line,
        );
        let wordless = output == OutputFormat::Conllu && parse.tokens.is_empty();
        assert_eq!(line.matches(output.terminator()).count(), usize::from(!wordless));
        assert!(wordless || line.ends_with(output.terminator()));
        lines.push(line.trim_end().to_owned());
        Ok::<(), BrokenStream>(())
    };
    let summary = parse_stream(&parser(), inputs(text, input), 2, &AtomicBool::new(false), each).unwrap();
    (lines, summary)
}

const RUNNING: &str =
    "( (S (NP-SBJ-1 (PRP We)) (VP (VBP like) (S (NP-SBJ (-NONE- *-1)) (VP (VBG running)))) (. .)))";

#[test]
fn every_input_form_gives_the_same_tree() {
    let cases = [
        (InputFormat::Text, "We like\nrunning."),
        (InputFormat::Lines, "We like running."),
        (InputFormat::Tokens, "We like running ."),
        (InputFormat::Tagged, "We_PRP like_VBP running_VBG ._."),
        (InputFormat::Penn, "( (X (NN We) (-NONE- *) (NN like) (NN running) (NN .)))"),
        (InputFormat::Jsonl, "{\"id\": 1, \"text\": \"We like running.\"}"),
    ];
    for (format, text) in cases {
        let (trees, summary) = lines(text, format, OutputFormat::Penn);
        assert_eq!(trees, [RUNNING], "{format:?}");
        assert_eq!((summary.sentences, summary.tokens, summary.failed), (1, 4, 0));
    }
}

#[test]
fn bad_inputs_have_their_answers_in_order() {
    let text = "We_PRP like_VBP running_VBG ._.\nno tag\n\nWe_PRP like_VBP running_VBG ._.\n";
    let (trees, summary) = lines(text, InputFormat::Tagged, OutputFormat::Penn);
    assert_eq!(trees, [RUNNING, "( (X-FAILED (-NONE- 0)))", "( (X-EMPTY (-NONE- 0)))", RUNNING]);
    assert_eq!((summary.sentences, summary.failed), (4, 1));
    let (trees, _) = lines("(S (N a)\n(S (N b)))\n(A b))", InputFormat::Penn, OutputFormat::Words);
    assert!(trees.len() >= 2, "{trees:?}");
    let messages: Vec<String> = inputs("{\"id\": 7}\n", InputFormat::Jsonl)
        .map(|input| input.unwrap().sentence.unwrap_err().message)
        .collect();
    assert_eq!(messages, ["f:1 (byte 0): an object must have either \"text\" or \"tokens\""]);
}

#[test]
fn the_placeholder_of_an_empty_line_is_no_null() {
    let (answers, _) = lines("\n", InputFormat::Lines, OutputFormat::Json);
    let answer: serde_json::Value = serde_json::from_str(&answers[0]).unwrap();
    assert_eq!(answer["outcome"], "empty");
    assert_eq!(answer["nulls"], serde_json::json!([]));
}

#[test]
fn inputs_beyond_a_limit_have_one_answer_each() {
    let long = vec!["a"; 10_001].join(" ");
    for (format, text) in [
        (InputFormat::Text, format!("{long}\n\nWe like running.\n")),
        (InputFormat::Lines, format!("{long}\nWe like running.\n")),
        (InputFormat::Tokens, format!("{long}\nWe like running .\n")),
        (InputFormat::Tagged, format!("{}\nWe_PRP like_VBP running_VBG ._.\n", long.replace('a', "a_B"))),
        (InputFormat::Jsonl, format!("{{\"text\": \"{long}\"}}\n{{\"text\": \"We like running.\"}}\n")),
        (
            InputFormat::Penn,
            format!("(S {})\n(S (N We) (N like) (N running) (N .))\n", long.replace('a', "(N a)")),
        ),
    ] {
        let (trees, summary) = lines(&text, format, OutputFormat::Penn);
        assert_eq!(trees, ["( (X-FAILED (-NONE- 0)))", RUNNING], "{format:?}");
        assert_eq!((summary.sentences, summary.failed), (2, 1));
    }
}

#[test]
fn words_with_a_thin_space_are_kept() {
    let word = "n\u{200a}=\u{2009}8";
    let (trees, _) = lines(&format!("(S (N {word}) (N b))\n"), InputFormat::Penn, OutputFormat::Words);
    assert_eq!(trees, [format!("{word} b")]);
}

#[test]
fn a_stream_that_is_told_to_stop_has_answered_what_it_began() {
    let stop = AtomicBool::new(false);
    let mut answered = 0;
    let text = "We like running.\n".repeat(10);
    let summary = parse_stream(&parser(), inputs(&text, InputFormat::Lines), 4, &stop, |_, _| {
        answered += 1;
        stop.store(answered == 4, std::sync::atomic::Ordering::Relaxed);
        Ok::<(), BrokenStream>(())
    });
    assert_eq!((summary.unwrap().interrupted, answered), (true, 4));
}

#[test]
fn spines_have_the_tree_in_heads_and_traces_in_deps() {
    let parse = parser().parse("Which book did she want to buy?");
    let mut text = String::new();
    OutputFormat::Spines.write((&parse).into(), &mut text);
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| line.split('\t').collect())
        .collect();
    assert!(
        text.contains("# text = Which book did she want to buy?\n")
            && text.ends_with("SpaceAfter=No\n8\t?\t_\t_\t.\t_\t5\tSBARQ\t5:SBARQ\tTokenRange=30:31\n\n"),
        "{text}"
    );
    assert!(rows.iter().all(|row| row.len() == 10));
    let roots = rows.iter().filter(|row| row[6] == "0" && row[7] == "root").count();
    assert_eq!(roots, 1);
    let extra: Vec<&str> = rows.iter().map(|row| row[8]).filter(|deps| deps.contains('*')).collect();
    assert_eq!(extra.len(), 2, "{text}");
    assert!(extra[0].ends_with(":*T*") && extra[1].ends_with(":*"), "{text}");
}

#[test]
fn conllu_has_dependencies_and_names_and_nothing_for_no_words() {
    let text = "{\"id\": \"a/b\", \"text\": \"We like running. We like running.\"}\n{\"text\": \"\"}\n";
    let (sentences, _) = lines(text, InputFormat::Jsonl, OutputFormat::Conllu);
    assert_eq!(sentences.len(), 3);
    assert!(
        sentences[1].starts_with("# outcome = exact\n# sent_id = a_b-2\n# text = We like running.\n"),
        "{}",
        sentences[1]
    );
    let row = "3\trunning\trun\tVERB\tVBG\tVerbForm=Ger\t2\txcomp\t2:xcomp\tSpaceAfter=No|TokenRange=25:32";
    assert_eq!(sentences[1].lines().nth(5), Some(row));
    assert_eq!(sentences[2], "");
}

#[test]
fn dependencies_are_those_of_the_model_whatever_dialect_its_tree_is_rewritten_into() {
    let tree = "( (S (NP-SBJ (NML (NN blood) (NN test)) (NNS results)) (VP (VBD came))))".parse().unwrap();
    let parser = testing::parser(&[tree], &["masc"]);
    let parse = |options: Options| parser.with_options(options).unwrap().parse("blood test results came");
    let dialect = |name: &str| parse(Options { dialect: Some(name.to_owned()), ..Options::default() });
    let usual = parse(Options::default());
    assert!(!usual.tree.to_string().contains("NML"));
    assert!(usual.to_conllu().contains("\n1\tblood\tblood\tNOUN\tNN\tNumber=Sing\t2\tcompound\t"));
    for name in ["penn", "masc"] {
        assert_eq!(dialect(name).to_conllu(), usual.to_conllu(), "{name}");
    }
    // what is left out of trees is left out of dependencies
    let bare = parse(Options { functions: false, ..Options::default() });
    assert_eq!(bare.to_conllu(), Parse::of_tree(bare.tree.clone()).to_conllu().replace("given", "exact"));
}

#[test]
fn pretty_graph_and_words_are_as_elsewhere() {
    let (words, _) = lines("We like running.", InputFormat::Lines, OutputFormat::Words);
    assert_eq!(words, ["We like running ."]);
    let (pretty, _) = lines("We like running.", InputFormat::Lines, OutputFormat::Pretty);
    assert_eq!(pretty[0].parse::<Tree>().unwrap().to_string(), RUNNING);
    let (graph, _) = lines("We like running.\n\nx y\n", InputFormat::Lines, OutputFormat::Graph);
    let text = graph.join("\n\n");
    let graphs = tracebank_syntax::graph::text::Reader::new(text.as_bytes()).map(Result::unwrap).count();
    assert_eq!(graphs, 3, "{text}");
}

#[test]
fn there_is_a_clear_word_where_there_is_no_model() {
    let error = Parser::open("no/such.model").err().unwrap();
    assert!(error.to_string().starts_with("no/such.model: "), "{error}");
    let is_missing = |error: &std::io::Error| error.kind() == std::io::ErrorKind::NotFound;
    assert!(matches!(&error, Error::Unreadable { error, .. } if is_missing(error)), "{error:?}");
    let damaged = Parser::open(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")).err().unwrap();
    assert!(matches!(damaged, Error::File { .. }), "{damaged:?}");
    let error = Parser::from_bytes(&b"PK"[..]).err().unwrap().to_string();
    assert!(error.contains("not a tracebank model"), "{error}");
}

#[test]
fn given_tags_stay_as_they_are_even_those_that_no_model_knows() {
    let mut sentence = Sentence::of_words(&["Which", "book", "did", "she", "want", "to", "buy", "?"]);
    sentence.tags = ["WDT", "NN", "VBD", "PRP", "FOO", "-NONE-", "V(B", "."].map(str::to_owned).into();
    let parse = parser().parse_sentences(&[sentence]).remove(0);
    assert_eq!(parse.tree.to_string(), BOOK.replace("(VB want)", "(FOO want)"));
    assert_eq!(parse.tokens[4].tag, "FOO");
}
