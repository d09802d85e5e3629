//! The command with a parser that needs no model: every way in, every way out, every kind of bad input.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use clap::Parser as _;
use tracebank::testing;

use super::asked::{bytes, seconds};
use super::*;

#[derive(clap::Parser)]
struct CommandLine {
    #[command(flatten)]
    arguments: ParseArguments,
}

const RUNNING: &str =
    "( (S (NP-SBJ-1 (PRP We)) (VP (VBP like) (S (NP-SBJ (-NONE- *-1)) (VP (VBG running)))) (. .)))";
const FAILED: &str = "( (X-FAILED (-NONE- 0)))";
const TEXT: &str = "We like running.";

fn run(arguments: &[&str]) -> Result<Summary> {
    let line = ["parse", "--quiet"].iter().chain(arguments);
    let arguments = CommandLine::try_parse_from(line).map_err(|error| Failure(error.to_string()))?.arguments;
    let parser = testing::parser(&[RUNNING.parse().unwrap()], &["penn"]);
    let parser =
        parser.with_options(arguments.asked.options()).map_err(|error| Failure(error.to_string()))?;
    arguments.answer(
        &parser,
        || "of the tests".to_owned(),
        sources(&arguments.what)?,
        &Interrupt::default(),
        &mut Log::new(arguments.log),
    )
}

/// The output when a file with these bytes is parsed.
fn answers(bytes: &[u8], options: &[&str]) -> (String, Summary) {
    let folder = tempfile::tempdir().unwrap();
    let [input, output] = ["in", "out"].map(|name| folder.path().join(name).display().to_string());
    fs::write(&input, bytes).unwrap();
    let summary = run(&[options, &[&*input, "--out", &*output]].concat()).unwrap();
    (fs::read_to_string(output).unwrap(), summary)
}

fn failure(arguments: &[&str]) -> String {
    run(arguments).err().unwrap().to_string()
}

#[test]
fn every_form_of_output_is_written() {
    let expected = [
        ("penn", RUNNING.to_owned() + "\n"),
        ("words", "We like running .\n".to_owned()),
        ("pretty", "(\n  (S\n    (NP-SBJ-1 (PRP We))\n".to_owned()),
        ("graph", "0  \t-".to_owned()),
        ("json", "{\"version\":2,\"id\":null,\"text\":\"We like running.\",\"document\":".to_owned()),
        ("conllu", "# outcome = exact\n# sent_id = ".to_owned()),
        ("spines", "# sent_id = ".to_owned()),
        ("relations", "like     subject=We  complement=[running]\nrunning  subject=We\n\n".to_owned()),
    ];
    for (form, start) in expected {
        let (text, summary) = answers(TEXT.as_bytes(), &["--output", form]);
        assert!(text.starts_with(&start), "{form}: {text}");
        assert_eq!((summary.sentences, summary.tokens, summary.failed), (1, 4, 0));
    }
    let (outline, _) = answers(TEXT.as_bytes(), &["--output", "outline"]);
    assert!(outline.contains("├─ NP-SBJ-1 (PRP We)\n"), "{outline}");
    assert!(outline.ends_with("  *-1 = We, subject of running\n\n"), "{outline}");
    let (bare, _) = answers(TEXT.as_bytes(), &["--no-traces", "--no-functions"]);
    assert_eq!(bare, "( (S (NP (PRP We)) (VP (VBP like) (S (VP (VBG running)))) (. .)))\n");
}

#[test]
fn texts_files_patterns_and_gzip_are_read_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("b.txt"), "We like running.").unwrap();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(b"We like. We like running.").unwrap();
    fs::write(path("a.txt.gz"), packed.finish().unwrap()).unwrap();
    let output = path("out");
    run(&["One text.", &path("*.txt*"), "--output", "words", "--out", &output]).unwrap();
    let wanted = "One text .\nWe like .\nWe like running .\nWe like running .\n";
    assert_eq!(fs::read_to_string(output).unwrap(), wanted);
}

#[test]
fn bad_inputs_are_answered_in_their_place() {
    let (text, summary) = answers(b"We like running.\nW\xffe\nWe like running.\n", &["--input", "lines"]);
    assert_eq!(text, format!("{RUNNING}\n{FAILED}\n{RUNNING}\n"));
    assert_eq!(summary.failed, 1);

    let (text, summary) = answers(b"a\0b c\0\n", &["--input", "tokens", "--output", "words"]);
    assert_eq!((text.as_str(), summary.failed), ("a\0b c\0\n", 0));

    let (text, summary) = answers(b"( (S (N a)\n( (S (N b)))\n", &["--input", "penn", "--output", "words"]);
    assert_eq!((text.as_str(), summary.failed), ("\nb\n", 1));

    let long = "word ".repeat(10_000);
    let (text, summary) = answers(long.as_bytes(), &["--input", "lines"]);
    assert!(text.starts_with("( (X-FAILED (XX word) ") && summary.failed == 1 && summary.tokens == 10_000);

    let json = b"{\"id\": 7, \"text\": \"We like running.\"}\n{\"id\": 8}\nnonsense\n";
    let (text, summary) = answers(json, &["--input", "jsonl", "--output", "json"]);
    let ids: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["id"].clone())
        .collect();
    assert_eq!((ids, summary.failed), (vec![7.into(), 8.into(), serde_json::Value::Null], 2));

    let (text, summary) = answers(b"", &[]);
    assert_eq!((text.as_str(), summary), ("", Summary::default()));
}

#[test]
fn what_cannot_be_read_or_written_is_told() {
    assert!(failure(&["no-such-file"]).starts_with("no-such-file: there is no such file"));
    assert!(failure(&["no-such-folder/*.txt"]).starts_with("no-such-folder/*.txt: "));
    assert!(failure(&["a text", "--out", "/proc/no/such/out"]).contains("it cannot be written"));
    assert!(failure(&["a text", "--out", "x", "--draw", "/proc/no"]).contains("/proc/no"));
    for wrong in
        [["--memory-budget", "much"], ["--time-budget", "-1"], ["--class", "2ec"], ["--dialect", "klingon"]]
    {
        assert!(run(&wrong).is_err(), "{wrong:?}");
    }
    assert!(run(&["--resume", "a text"]).is_err(), "--resume needs --out");
    assert!(run(&["--best", "2", "--output", "penn", TEXT]).err().unwrap().is::<Misuse>(), "exit code 2");
}

#[test]
fn a_run_that_stopped_is_continued() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (input, output) = (path("in"), path("out"));
    let write = |name: &str, text: &str| fs::write(path(name), text).unwrap();
    let arguments = ["--input", "lines", &input, "--out", &output];
    let resume = |more: &[&str]| run(&[&arguments[..], &["--resume"], more].concat());
    // A block is answered and recorded, then the input breaks off.
    write("in", &"We like running.\n".repeat(tracebank::BLOCK));
    let broken = run(&[&arguments[..], &[&path("no-such-file")]].concat());
    assert!(broken.is_err() && !Path::new(&output).exists());
    run(&[&arguments[..], &[&path(".")]].concat()).unwrap_err();
    assert!(failure(&arguments).contains("--resume continues it"));
    write("other", "They run.\n");
    for (changed, told) in [
        (&["--output", "json"][..], "output was penn, and is json"),
        (&["--no-traces"][..], "no-traces was false, and is true"),
        (&["--k", "2"][..], "k was not given, and is 2"),
    ] {
        assert!(resume(changed).err().unwrap().to_string().contains(told));
    }
    // The same sentences from another file.
    fs::rename(path("in"), path("moved")).unwrap();
    let moved = ["--input", "lines", &path("moved"), "--out", &output, "--resume"];
    assert!(failure(&moved).contains("are not those that are answered already"));
    write("in", "We like running.\n");
    assert!(resume(&[]).err().unwrap().to_string().contains("now there are only 1"));
    write("in", &"They run.\n".repeat(tracebank::BLOCK));
    assert!(resume(&[]).err().unwrap().to_string().contains("are not those that are answered already"));
    write("in", &"We like running.\n".repeat(tracebank::BLOCK + 2));
    assert_eq!(resume(&[]).unwrap().sentences, 2);
    assert_eq!(fs::read_to_string(&output).unwrap(), format!("{RUNNING}\n").repeat(tracebank::BLOCK + 2));
    assert!(!Path::new(&path("out.part")).exists());
}

#[test]
fn each_tree_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let pictures = folder.path().join("pictures");
    let draw = ["--draw", &pictures.display().to_string()];
    answers("We like running. We like running.".as_bytes(), &draw);
    for name in ["000001.svg", "000002.svg"] {
        assert!(fs::read_to_string(pictures.join(name)).unwrap().starts_with("<svg"));
    }
    fs::write(pictures.join("000001.svg"), "mine").unwrap();
    let output = folder.path().join("out").display().to_string();
    let again = [&[TEXT, "--out", &output][..], &draw].concat();
    assert!(failure(&again).contains("there are files in it; --force writes there"));
    assert!(!Path::new(&format!("{output}.part")).exists(), "nothing is begun");
    assert_eq!(fs::read(pictures.join("000001.svg")).unwrap(), b"mine");
    run(&[&again[..], &["--force"]].concat()).unwrap();
    assert!(fs::read_to_string(pictures.join("000001.svg")).unwrap().starts_with("<svg"));
}

#[test]
fn a_file_has_the_form_that_its_name_promises_unless_another_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let written = |name: &str, more: &[&str]| {
        let path = folder.path().join(name);
        run(&[&[TEXT, "--force", "--out", &path.display().to_string()], more].concat()).unwrap();
        fs::read_to_string(path).unwrap()
    };
    for name in ["x.json", "x.JSON", "x.jsonl"] {
        assert!(written(name, &[]).starts_with("{\"version\":"), "{name}");
    }
    assert!(written("x.conllu", &[]).starts_with("# "));
    assert_eq!(written("x.json", &["--output", "penn"]), format!("{RUNNING}\n"));
    for name in ["json", "x.txt", "x.json.mrg"] {
        assert_eq!(written(name, &[]), format!("{RUNNING}\n"), "{name}");
    }
}

#[test]
fn amounts_are_read_with_their_units() {
    assert_eq!(bytes("2G"), Ok(2 << 30));
    assert_eq!(bytes("500M"), Ok(500 << 20));
    assert!(bytes("7").is_err() && bytes("0").is_err() && bytes("0G").is_err() && bytes("1023K").is_err());
    assert!(
        bytes("99999999999999999999G").is_err()
            && bytes("18446744073709551615K").is_err()
            && bytes("").is_err()
    );
    assert!(seconds("0").is_err() && seconds("nan").is_err() && seconds("0.5") == Ok(0.5));
    assert!(seconds("inf").is_err() && seconds("1e9").is_err() && seconds("-1").is_err());
    for nonsense in [["--max-words", "0"], ["--k", "0"], ["--threads", "0"], ["--threads", "100000"]] {
        assert!(failure(&[&nonsense[..], &[TEXT]].concat()).contains("is not in"), "{nonsense:?}");
    }
}
