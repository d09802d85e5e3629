//! `tracebank convert` and `tracebank coverage`, run as a user runs them.

use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;

fn treebank(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../treebank").join(file)
}

fn tracebank(arguments: &[&str], input: &str) -> Output {
    Command::cargo_bin("tracebank").unwrap().args(arguments).write_stdin(input.as_bytes()).output().unwrap()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

const LIKE: &str =
    "( (S (NP-SBJ-1 (PRP We)) (VP (VBP like) (S (NP-SBJ (-NONE- *-1)) (VP (VBG running)))) (. .)))\n";

#[test]
fn every_format_comes_out_as_documented() {
    let cases = [
        ("penn", LIKE),
        ("words", "We like running .\n"),
        ("tagged", "We_PRP like_VBP running_VBG ._.\n"),
        (
            "pretty",
            "(\n  (S\n    (NP-SBJ-1 (PRP We))\n    (VP (VBP like) (S (NP-SBJ (-NONE- *-1)) (VP (VBG running))))\n    (. .)))\n\n",
        ),
    ];
    for (to, wanted) in cases {
        let output = tracebank(&["convert", "--to", to], LIKE);
        assert_eq!(stdout(&output), wanted);
        assert!(output.status.success() && output.stderr.is_empty());
    }
    let stripped = tracebank(&["convert", "--strip-traces", "--strip-functions"], LIKE);
    assert_eq!(stdout(&stripped), "( (S (NP (PRP We)) (VP (VBP like) (S (VP (VBG running)))) (. .)))\n");
}

/// What `/dev/stdout` names has no place in a folder where it is a pipe.
#[cfg(target_os = "linux")]
#[test]
fn standard_output_can_be_named_as_a_device() {
    let written = tracebank(&["convert", "-o", "/dev/stdout"], LIKE);
    assert!(written.status.success(), "{}", stderr(&written));
    assert_eq!(stdout(&written), LIKE);
}

#[test]
fn a_whole_treebank_goes_through_the_graph_and_back() {
    let handmade = treebank("handmade.mrg").display().to_string();
    for targets in ["referent", "parent", "common"] {
        let graphs = tracebank(&["convert", "--to", "graph", "--targets", targets, &handmade], "");
        let again = tracebank(&["convert", "--from", "graph", "--to", "graph"], stdout(&graphs));
        assert_eq!(stdout(&graphs), stdout(&again));
        let trees = tracebank(&["convert", "--from", "graph"], stdout(&graphs));
        let once_more = tracebank(&["convert", "--to", "graph", "--targets", targets], stdout(&trees));
        assert_eq!(stdout(&graphs), stdout(&once_more));
    }
}

#[test]
fn the_authors_format_goes_both_ways() {
    let written = tracebank(&["convert", "--to", "shp"], LIKE);
    let back = tracebank(&["convert", "--from", "shp"], stdout(&written));
    assert_eq!(stdout(&back), LIKE.replacen("( (S", "(ROOT (S", 1));
    let odd = tracebank(&["convert", "--to", "shp"], "( (S (N a)) (S (N b)))\n");
    assert!(!odd.status.success());
    assert!(stderr(&odd).contains("<stdin>, sentence 1: "), "{}", stderr(&odd));
    let skipped =
        tracebank(&["convert", "--to", "shp", "--skip-bad"], &format!("( (S (N a)) (S (N b)))\n{LIKE}"));
    assert!(skipped.status.success() && stdout(&skipped) == stdout(&written));
}

#[test]
fn dialects_come_to_penns_convention() {
    let output =
        tracebank(&["convert", "--from", "craft"], "( (S (NP-1 (NN a)) (VP (V b) (NP-1 (-NONE- *)))))\n");
    assert_eq!(stdout(&output), "( (S (NP-1 (NN a)) (VP (V b) (NP (-NONE- *-1)))))\n");
    let output = tracebank(&["convert", "--from", "helsinki"], "( (IP-MAT (NP-SBJ *con*) (VBDI b)))\n");
    assert_eq!(stdout(&output), "( (IP-MAT (NP-SBJ (-NONE- *con*)) (VBDI b)))\n");
}

#[test]
fn bad_trees_are_told_and_can_be_left_out() {
    let text = format!("( (S (A a))\n( (S (NP) (B b)))\n{LIKE}");
    let strict = tracebank(&["convert"], &text);
    assert_eq!(strict.status.code(), Some(1));
    assert!(stderr(&strict).contains("<stdin>:1:1: the bracket that opens here is never closed"));
    let lenient = tracebank(&["convert", "--skip-bad"], &text);
    assert_eq!(lenient.status.code(), Some(0));
    assert_eq!(stdout(&lenient), LIKE);
    assert!(stderr(&lenient).contains("<stdin>:2:6: a bracket has nothing in it"));
    assert!(stderr(&lenient).ends_with("2 bad trees were left out\n"));
    let graph = tracebank(&["convert", "--from", "graph"], "0\t-\t-\t()\n1\ta\tN\tS\t1\tS\n");
    assert!(
        stderr(&graph).contains("<stdin>:1:1: the structural parents of word 1 go round in a circle"),
        "{}",
        stderr(&graph)
    );
}

#[test]
fn an_output_file_appears_only_when_it_is_complete() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("out.mrg");
    let name = file.display().to_string();
    assert!(!tracebank(&["convert", "-o", &name], "( (S").status.success());
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
    assert!(tracebank(&["convert", "-o", &name], LIKE).status.success());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), LIKE);
    let nowhere = tracebank(&["convert", "-o", "/no/such/folder/x"], LIKE);
    assert!(!nowhere.status.success() && stderr(&nowhere).contains("/no/such/folder/x"));
}

#[test]
fn missing_files_full_disks_and_wrong_arguments_are_told() {
    let missing = tracebank(&["convert", "no-such-file"], "");
    assert_eq!(missing.status.code(), Some(1));
    assert!(stderr(&missing).contains("no-such-file: "));
    assert_eq!(tracebank(&["convert", "--to", "nonsense"], "").status.code(), Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_a_closed_pipe_is_not() {
    use std::process::{Command, Stdio};
    let binary = assert_cmd::cargo::cargo_bin("tracebank");
    let file = treebank("craft-sample.mrg");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = Command::new(&binary)
        .args(["convert"])
        .arg(&file)
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("the output could not be written"), "{}", stderr(&output));
    let mut child = Command::new(&binary)
        .args(["convert"])
        .arg(&file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""));
}

#[test]
fn coverage_gives_the_table_and_its_numbers() {
    let handmade = treebank("handmade.mrg").display().to_string();
    let table = tracebank(&["coverage", &handmade], "");
    assert!(stdout(&table).starts_with("Representation"));
    assert_eq!(stdout(&table).lines().filter(|line| line.ends_with('%')).count(), 11);
    let json = tracebank(&["coverage", "--json", "--explain", &handmade], "");
    let object: serde_json::Value = serde_json::from_str(stdout(&json)).unwrap();
    let sentences: Vec<u64> =
        object["rows"].as_array().unwrap().iter().map(|row| row["sentences"].as_u64().unwrap()).collect();
    assert!(sentences.windows(2).take(3).all(|pair| pair[0] <= pair[1]), "{sentences:?}");
    let outside = object["outside"].as_array().unwrap();
    assert_eq!(outside.len() as u64, object["trees"].as_u64().unwrap() - sentences[10]);
    assert!(!tracebank(&["coverage"], "").status.success());
}

#[test]
fn the_papers_example_of_a_cycle_is_explained() {
    let which = "( (NP (NP (NN rule)) (SBAR (WHNP-1 (WDT which)) (S (NP-SBJ (-NONE- *T*-1)) (VP (VBD proposed))))))\n";
    let output = tracebank(&["coverage", "--explain", "--row", "4"], which);
    assert!(stdout(&output).contains("<stdin>, sentence 1: cycle"), "{}", stdout(&output));
    assert!(stdout(&output).contains("proposed[3] → which[2] (*T*)"), "{}", stdout(&output));
}

#[test]
fn gold_trees_get_all_that_a_parse_gets() {
    let tree = "( (S (NP-SBJ-1 (NN EDTA)) (VP (VBD was) (VP (VBN added) (NP-1 (-NONE- *))))))\n";
    let converted = |form: &str| {
        let output = tracebank(&["convert", "--from", "craft", "--to", form], tree);
        assert!(output.status.success(), "{form}: {}", stderr(&output));
        stdout(&output).to_owned()
    };
    assert_eq!(converted("relations"), "added  object=EDTA\n\n");
    assert_eq!(converted("words"), "EDTA was added\n");
    assert!(converted("outline").ends_with("  *-1 = EDTA, object of added\n\n"));
    assert!(
        converted("conllu").contains("\n1\tEDTA\tEDTA\tNOUN\tNN\tNumber=Sing\t3\tnsubj:pass\t3:nsubj:pass\t")
    );
    assert!(converted("spines").contains("\n# tree = ( (S (NP-SBJ-1 (NN EDTA))"));
    let json: serde_json::Value = serde_json::from_str(&converted("json")).unwrap();
    assert_eq!((&json["version"], &json["outcome"]), (&2.into(), &"given".into()));
    assert_eq!(json["relations"][0]["arguments"][0]["role"], "object");
}

#[test]
fn a_file_has_no_colours_whatever_the_terminal_shows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("outline");
    let run = |more: &[&str]| {
        let mut command = Command::cargo_bin("tracebank").unwrap();
        command.env("CLICOLOR_FORCE", "1").args(["convert", "--to", "outline"]).args(more);
        command.write_stdin(LIKE).output().unwrap()
    };
    assert!(stdout(&run(&[])).contains('\x1b'));
    assert!(run(&["-o", path.to_str().unwrap()]).status.success());
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains("running") && !text.contains('\x1b'), "{text}");
}

#[test]
fn graphs_with_words_that_no_tree_holds_are_refused() {
    for (word, tag) in
        [("a (b", "NN"), ("a b", "NN"), ("a)", "NN"), ("(", "NN"), ("", "NN"), ("a", "N N"), ("a", "-NONE-")]
    {
        let graph = format!("0\t-\t-\t()\n1\t{word}\t{tag}\tS\t0\t()\n\n");
        let output = tracebank(&["convert", "--from", "graph"], &graph);
        assert_eq!((output.status.code(), stdout(&output)), (Some(1), ""), "{word} {tag}");
        assert!(stderr(&output).contains("<stdin>:2:1"), "{}", stderr(&output));
    }
}
