//! `tracebank eval` and `tracebank draw` from the outside.

use std::path::PathBuf;
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

const GOLD: &str =
    "( (S (NP-SBJ-1 (PRP We)) (VP (VBP like) (S (NP-SBJ (-NONE- *-1)) (VP (VBG running)))) (. .)))
( (S (NP-SBJ (PRP They)) (VP (VBD slept)) (. .)))
( (S (NP-SBJ (PRP I)) (VP (VBP know) (SBAR (-NONE- 0) (S (NP-SBJ (PRP it)) (VP (VBZ works))))) (. .)))
";
const GUESS: &str = "( (S (NP (PRP We)) (VP (VBP like) (S (VP (VBG running)))) (. .)))
( (S (NP (PRP They)) (X (VBD slept)) (. .)))
( (S (NP (PRP I)) (VP (VBP know) (SBAR (-NONE- 0) (S (NP (PRP it)) (VP (VBZ works))))) (. .)))
";

struct Bench(TempDir);

impl Bench {
    fn new() -> Bench {
        let bench = Bench(TempDir::new().unwrap());
        bench.write("gold.mrg", GOLD);
        bench.write("guess.mrg", GUESS);
        bench
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::cargo_bin("tracebank").unwrap();
        command.current_dir(self.0.path()).args(arguments).output().unwrap()
    }

    /// Standard output of a command that must succeed.
    fn read(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }
}

#[test]
fn json_has_every_metric() {
    let bench = Bench::new();
    let text = bench.read(&["eval", "gold.mrg", "guess.mrg", "--json"]);
    let report: Value = serde_json::from_str(&text).unwrap();
    for metric in ["evalb", "evalb_40", "null", "coindex", "graph"] {
        for key in ["match", "gold", "test", "precision", "recall", "f1", "by_type"] {
            assert!(!report[metric][key].is_null(), "{metric} {key}");
        }
    }
    assert_eq!(report["null"]["match"], 1);
    assert_eq!(report["null"]["gold"], 2);
    assert_eq!(report["evalb"]["match"], 14);
    assert_eq!(report["evalb"]["gold"], 15);
    assert_eq!(report["unaligned"], Value::Array(Vec::new()));
}

/// Figures of the sentences before the end of a file that breaks off would look like those of the whole.
#[test]
fn a_file_that_breaks_off_is_not_scored() {
    use std::io::Write as _;
    let bench = Bench::new();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(GOLD.as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    std::fs::write(bench.path("broken.gz"), &packed[..packed.len() - 20]).unwrap();
    for files in [["broken.gz", "gold.mrg"], ["gold.mrg", "broken.gz"]] {
        let output = bench.run(&[&["eval"][..], &files].concat());
        assert!(!output.status.success() && output.stdout.is_empty(), "{files:?}");
        let why = String::from_utf8_lossy(&output.stderr);
        assert!(why.contains("reading stopped"), "{why}");
    }
}

#[test]
fn tables_have_no_colour_outside_a_terminal() {
    let bench = Bench::new();
    for arguments in [&["--by-type"][..], &["--errors", "2"], &["--against", "gold.mrg"], &[]] {
        let mut all = vec!["eval", "gold.mrg", "guess.mrg"];
        all.extend(arguments);
        let text = bench.read(&all);
        assert!(!text.contains('\x1b') && text.lines().count() > 3, "{text}");
    }
}

#[test]
fn rows_can_be_read_by_machines() {
    let bench = Bench::new();
    let sentences = bench.read(&["eval", "gold.mrg", "guess.mrg", "--per-sentence"]);
    let rows: Vec<Vec<&str>> = sentences.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows.len(), 4);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()));
    assert_eq!(rows[2][..5], ["2", "ok", "2", "3", "3"]);
    let metrics = bench.read(&["eval", "gold.mrg", "guess.mrg", "--tsv"]);
    assert!(metrics.lines().any(|line| line.starts_with("null\tno-link_0_\t1\t1\t1\t100.0000")), "{metrics}");
}

#[test]
fn what_does_not_line_up_is_told_and_missed() {
    let bench = Bench::new();
    let lines: Vec<&str> = GUESS.lines().collect();
    bench.write("odd.mrg", &format!("{}\n(())\n{}\n", lines[0], lines[2].replace("works", "fails")));
    let output = bench.run(&["eval", "gold.mrg", "odd.mrg", "--json"]);
    assert!(output.status.success());
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(notes.contains("sentence 2: the guess cannot be read"), "{notes}");
    assert!(notes.contains("sentence 3: the words differ: word 4 is \"works\""), "{notes}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["unaligned"], serde_json::json!([2, 3]));
    assert_eq!((&report["evalb"]["gold"], &report["evalb"]["test"]), (&15.into(), &5.into()));
    let skipped: Value =
        serde_json::from_str(&bench.read(&["eval", "gold.mrg", "odd.mrg", "--json", "--unaligned", "skip"]))
            .unwrap();
    assert_eq!(skipped["evalb"]["gold"], 5);
    let strict = bench.run(&["eval", "gold.mrg", "odd.mrg", "--strict"]);
    assert_eq!(strict.status.code(), Some(1));
    assert!(strict.stdout.is_empty());
}

#[test]
fn two_systems_are_compared_the_same_way_every_time() {
    let bench = Bench::new();
    let arguments = ["eval", "gold.mrg", "gold.mrg", "--against", "guess.mrg", "--samples", "500", "--tsv"];
    let first = bench.read(&arguments);
    assert_eq!(first, bench.read(&arguments));
    assert!(first.lines().any(|line| line.starts_with("null\t100.0000\t66.6667\t33.3333")), "{first}");
    let stdin = bench.run(&["eval", "-", "guess.mrg", "--against", "gold.mrg"]);
    assert_eq!(stdin.status.code(), Some(1));
}

#[test]
fn a_parameter_file_is_read_or_refused_by_line() {
    let bench = Bench::new();
    bench.write("good.prm", "LABELED 0\nDELETE_LABEL .\nCUTOFF_LEN 3\n");
    let report: Value =
        serde_json::from_str(&bench.read(&["eval", "gold.mrg", "guess.mrg", "--prm", "good.prm", "--json"]))
            .unwrap();
    assert_eq!(report["evalb"]["match"], report["evalb"]["gold"]);
    assert_eq!(report["evalb_3"]["sentences"], 1);
    bench.write("bad.prm", "LABELED 1\nFOO 2\n");
    let refused = bench.run(&["eval", "gold.mrg", "guess.mrg", "--prm", "bad.prm"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("line 2"));
}

#[test]
fn pictures_are_written_whole() {
    let bench = Bench::new();
    for (arguments, expected) in [
        (&["-n", "1"][..], ">NP-SBJ-1</text>"),
        (&["-n", "1", "--view", "spines"], ">(NP-SBJ *)</text>"),
        (&["-n", "2", "--against", "guess.mrg"], ">X</text>"),
    ] {
        let mut all = vec!["draw", "gold.mrg", "-o", "picture.svg", "--force"];
        all.extend(arguments);
        bench.read(&all);
        let picture = std::fs::read_to_string(bench.path("picture.svg")).unwrap();
        assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n") && picture.contains(expected));
    }
    let left: Vec<_> =
        std::fs::read_dir(bench.0.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "{left:?}");
    assert!(bench.read(&["draw", "gold.mrg", "-n", "2"]).contains("├─ NP-SBJ (PRP They)"));
    assert_eq!(bench.run(&["draw", "gold.mrg", "-n", "9"]).status.code(), Some(1));
    assert_eq!(bench.run(&["draw", "gold.mrg", "--view", "spines"]).status.code(), Some(1));
}

#[test]
fn several_trees_png_pdf_and_latex() {
    let bench = Bench::new();
    bench.read(&["draw", "gold.mrg", "-n", "1-2", "-o", "picture.png"]);
    for name in ["picture-1.png", "picture-2.png"] {
        assert!(std::fs::read(bench.path(name)).unwrap().starts_with(b"\x89PNG"), "{name}");
    }
    bench.read(&["draw", "gold.mrg", "-o", "picture.pdf"]);
    assert!(std::fs::read(bench.path("picture.pdf")).unwrap().starts_with(b"%PDF"));
    assert!(bench.read(&["draw", "gold.mrg", "--to", "forest"]).contains("\\begin{forest}"));
    let collapsed = bench.read(&[
        "draw",
        "(S (NP (DT the) (NN tea)) (VP (VBD cooled)))",
        "--to",
        "qtree",
        "--collapse",
        "NP",
        "--no-tags",
    ]);
    assert!(collapsed.contains("[.{NP} \\edge[roof]; {the tea} ]"), "{collapsed}");
    for wrong in [&["-n", "2-1"][..], &["-n", "0"], &["-n", "1-99"], &["-o", "picture.gif"]] {
        let refused = bench.run(&[&["draw", "gold.mrg"][..], wrong].concat());
        assert!(!refused.status.success(), "{wrong:?}");
    }
}

/// The worked example of docs/metrics.md, as it stands there.
#[test]
fn the_documented_example_is_true() {
    let guide = include_str!("../../../docs/metrics.md");
    let block = |start: &str, end: &str| -> Vec<&str> {
        let lines = guide.lines().map(str::trim).skip_while(|line| *line != start).skip(1);
        lines.take_while(|line| *line != end).collect()
    };
    let bench = Bench::new();
    bench.write("gold.mrg", &block("cat > gold.mrg <<'.'", ".").join("\n"));
    bench.write("guess.mrg", &block("cat > guess.mrg <<'.'", ".").join("\n"));
    let printed = bench.read(&["eval", "gold.mrg", "guess.mrg"]);
    let table = block("match  gold  guess       P       R      F1", "");
    assert_eq!(table.len(), 16);
    for line in table {
        assert!(printed.lines().any(|row| row.trim() == line), "{line}\n{printed}");
    }
}

#[test]
fn gold_and_guess_may_be_in_different_dialects() {
    let bench = Bench::new();
    bench.write(
        "craft.mrg",
        "( (S (NP-SBJ-1 (NN EDTA)) (VP (VBD was) (VP (VBN added) (NP-1 (-NONE- *))))))\n",
    );
    bench
        .write("penn.mrg", "( (S (NP-SBJ-1 (NN EDTA)) (VP (VBD was) (VP (VBN added) (NP (-NONE- *-1))))))\n");
    let formats = ["--from", "craft", "--test-from", "penn"];
    let text = bench.read(&[&["eval", "craft.mrg", "penn.mrg", "--json"][..], &formats].concat());
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["coindex"]["f1"], 100.0);
    assert_eq!(report["coindex"]["gold"], 1);
    assert!(bench.read(&["draw", "craft.mrg", "--from", "craft"]).contains("(-NONE- *-1)"));
}

#[test]
fn gold_that_cannot_be_read_is_no_score() {
    let bench = Bench::new();
    for gold in ["", "(S (N a)"] {
        bench.write("bad.mrg", gold);
        let output = bench.run(&["eval", "bad.mrg", "guess.mrg"]);
        assert_eq!(output.status.code(), Some(1));
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.stdout.is_empty() && told.contains("there are no gold trees"), "{told}");
    }
}

#[test]
fn places_are_looked_at_before_the_work() {
    let bench = Bench::new();
    bench.write("tree-2.svg", "mine");
    // Were the missing trees looked for first, it would be they that are told.
    for (arguments, why) in [
        (&["draw", "no-such.mrg", "-o", "nodir/tree.svg"][..], "nodir/tree.svg"),
        (&["draw", "gold.mrg", "-n", "1-3", "-o", "tree.svg"][..], "there is such a file"),
        (&["draw", "gold.mrg", "-n", "8-9", "-o", "nodir/tree.svg"][..], "nodir/tree.svg"),
        (&["draw", "gold.mrg", "-n", "9", "--to", "forest", "-o", "nodir/tree.tex"][..], "nodir/tree.tex"),
        (&["derive", "--from", "penn", "no-such.mrg", "--draw", "nodir/steps.svg"][..], "nodir/steps.svg"),
        (&["rules", "used", "no-such.mrg", "-o", "nodir/train.rules"][..], "nodir/train.rules"),
    ] {
        let output = bench.run(arguments);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && told.contains(why), "{arguments:?}: {told}");
    }
    assert!(!bench.path("tree-1.svg").exists(), "all or none");
    assert_eq!(std::fs::read(bench.path("tree-2.svg")).unwrap(), b"mine");
}

#[test]
fn a_name_promises_what_is_written() {
    let bench = Bench::new();
    for (arguments, why) in [
        (&["-o", "tree.tex"][..], "--to forest and --to qtree write LaTeX"),
        (&["-o", "tree.jpg"][..], "not as JPG"),
        (&["--to", "forest", "-o", "tree.png"][..], "this is the name of PNG"),
        (&["-n", "1-2000000", "-o", "tree.svg"][..], "trees are drawn at a time"),
    ] {
        let output = bench.run(&[&["draw", "gold.mrg"][..], arguments].concat());
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && told.contains(why), "{arguments:?}: {told}");
    }
    assert!(bench.run(&["draw", "gold.mrg", "--to", "forest", "-o", "tree.tex"]).status.success());
    #[cfg(unix)]
    {
        let several = bench.run(&["draw", "gold.mrg", "-n", "1-3", "-o", "/dev/null"]);
        let told = String::from_utf8_lossy(&several.stderr);
        assert!(told.contains("several pictures need the name of a file"), "{told}");
    }
}

#[test]
fn tables_that_no_machine_holds_are_refused() {
    let output = Bench::new().run(&["bench", "decode", "--words", "1000", "--spines", "1000"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("fewer --words"));
}
