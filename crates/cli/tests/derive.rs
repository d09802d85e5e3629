//! `tracebank derive`, `tracebank rules used` and the coverage of graphs as they are, from the outside.

use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use tempfile::TempDir;

const LIKE: &str =
    "( (S (NP-SBJ-1 (PRP We)) (VP (VBP like) (S (NP-SBJ (-NONE- *-1)) (VP (VBG running)))) (. .)))\n";
const SLEPT: &str = "( (S (NP-SBJ (PRP They)) (VP (VBD slept)) (. .)))\n";

/// A locked chain (the paper's definition 2) of seven words: each has an edge with the next but one, 1 with 6 and 2 with 7. As trees these
/// phrases nest otherwise than the edges run, so that a graph made anew is another one.
const LOCKED: &str = "\
1 one   NN AP                    3 NP_0   6 AP_0 T AP_0 F *
2 two   NN AP_NP                 3 NP_0   4 NP_0 T NP_0 F *  7 AP_0 T AP_0 F *
3 three NN NP                    5 NP_0
4 four  NN (NP_(*))_NP           5 NP_0   6 NP_0 T NP_0 F *
5 five  NN NP                    7 NP_0
6 six   NN (NP_(*))_(AP_(*))_NP  7 NP_0
7 seven NN (AP_(*))_NP           0 ROOT_0
";

fn tracebank(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut command = Command::cargo_bin("tracebank").unwrap();
    command.current_dir(folder).args(arguments).write_stdin(input.as_bytes()).output().unwrap()
}

/// Standard output of a command that must succeed.
fn read(folder: &Path, arguments: &[&str], input: &str) -> String {
    let output = tracebank(folder, arguments, input);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_gold_tree_is_derived_as_the_readme_of_the_chart_says() {
    let folder = TempDir::new().unwrap();
    let text = read(folder.path(), &["derive", "--from", "penn"], &format!("{LIKE}{SLEPT}"));
    assert!(text.starts_with("0 We  1 like  2 running  3 .  4 ROOT\n  0  [0 1]"), "{text}");
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let readme: Vec<String> = include_str!("../../chart/README.md").lines().map(words).collect();
    let first: Vec<&str> = text.lines().skip(1).take_while(|line| !line.is_empty()).collect();
    assert_eq!(first.len(), 12);
    for line in first {
        assert!(readme.contains(&words(line)), "{line}");
    }
    assert_eq!(text.matches("ROOT\n").count(), 2, "{text}");
}

#[test]
fn the_sentence_asked_for_is_drawn() {
    let folder = TempDir::new().unwrap();
    let arguments = ["derive", "--from", "penn", "-n", "2", "--draw", "steps.svg"];
    let text = read(folder.path(), &arguments, &format!("{LIKE}{SLEPT}"));
    assert!(text.starts_with("0 They  1 slept  2 .  3 ROOT\n") && !text.contains("We"), "{text}");
    let picture = std::fs::read_to_string(folder.path().join("steps.svg")).unwrap();
    assert!(picture.starts_with("<svg") && picture.contains(">slept</text>"));
    let again = tracebank(folder.path(), &arguments, LIKE);
    assert!(String::from_utf8(again.stderr).unwrap().contains("there is such a file"));
    std::fs::remove_file(folder.path().join("steps.svg")).unwrap();
    let again = tracebank(folder.path(), &arguments, LIKE);
    assert!(String::from_utf8(again.stderr).unwrap().contains("there is no sentence 2: there are 1"));
    let png = tracebank(folder.path(), &["derive", "--from", "penn", "--draw", "steps.png"], LIKE);
    assert!(png.status.success());
    assert!(std::fs::read(folder.path().join("steps.png")).unwrap().starts_with(b"\x89PNG"));
    let other = tracebank(folder.path(), &["derive", "--from", "penn", "--draw", "steps.gif"], LIKE);
    assert!(!other.status.success() && !folder.path().join("steps.gif").exists());
}

#[test]
fn a_locked_chain_is_told_as_it_is_given() {
    let folder = TempDir::new().unwrap();
    let text = read(folder.path(), &["derive", "--from", "shp", "--draw", "locked.svg"], LOCKED);
    assert!(text.contains("form a locked chain; without ") && text.contains("three → one"), "{text}");
    assert_eq!(text.matches(" → ").count(), 7, "{text}");
    let picture = std::fs::read_to_string(folder.path().join("locked.svg")).unwrap();
    // The line that says why, and a path and a point for each edge of the chain.
    assert_eq!(picture.matches("#c1121f").count(), 1 + 2 * 7);

    let explained = read(folder.path(), &["coverage", "--from", "shp", "--explain"], LOCKED);
    assert!(explained.contains("sentence 1: locked chain"), "{explained}");
    assert!(explained.contains("seven[7] → two[2] (*)"), "{explained}");
    let json = read(folder.path(), &["coverage", "--from", "shp", "--json"], LOCKED);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["rows"].as_array().unwrap().len(), 5);
    assert_eq!((&json["rows"][3]["sentences"], &json["rows"][3]["all_edges"]), (&0.into(), &11.into()));
    let row = tracebank(folder.path(), &["coverage", "--from", "shp", "--explain", "--row", "6"], LOCKED);
    assert!(!row.status.success());
}

#[test]
fn graphs_are_judged_by_their_own_edges() {
    let folder = TempDir::new().unwrap();
    let graph = read(folder.path(), &["convert", "--to", "graph"], LIKE);
    let table = read(folder.path(), &["coverage", "--from", "graph"], &graph);
    let shares: Vec<&str> =
        table.lines().filter(|line| line.ends_with('%')).map(|line| &line[40..51]).collect();
    assert_eq!(
        shares.iter().map(|share| share.trim()).collect::<Vec<_>>(),
        ["0.00%", "0.00%", "0.00%", "100.00%", "100.00%"]
    );
    let derived = read(folder.path(), &["derive", "--from", "graph"], &graph);
    assert!(derived.contains("the edge 4→1") && derived.contains("the trace edge 2→0"), "{derived}");
}

#[test]
fn the_rules_of_a_treebank_are_counted_checked_and_written() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    std::fs::write(path.join("train.mrg"), format!("{SLEPT}{SLEPT}")).unwrap();
    std::fs::write(path.join("dev.mrg"), format!("{SLEPT}{LIKE}")).unwrap();
    let text = read(path, &["rules", "used", "train.mrg", "--check", "dev.mrg", "-o", "train.rules"], "");
    assert!(
        text.starts_with("class: 1ec-graph\nsentences: 2; outside the class: 0\nrules: 31044; used: "),
        "{text}"
    );
    assert!(
        text.contains("checked: sentences: 2; outside the class: 0; that need other rules: 1; such rules: "),
        "{text}"
    );
    assert!(text.contains("dev.mrg, sentence 2\n    (") && !text.contains("dev.mrg, sentence 1"), "{text}");
    let rules = std::fs::read_to_string(path.join("train.rules")).unwrap();
    assert!(
        rules.lines().nth(1) == Some("class 1ec-graph") && rules.contains("\t(edge) I[lr dn] <- "),
        "{rules}"
    );
    let used: usize = text.split("used: ").nth(1).unwrap().split(',').next().unwrap().parse().unwrap();
    assert_eq!(rules.lines().count(), used + 2);
    // The file alone, on standard output; and trees from standard input.
    assert_eq!(read(path, &["rules", "used", "-o", "-"], &format!("{SLEPT}{SLEPT}")), rules);
    assert!(!tracebank(path, &["rules", "used"], "").status.success());
    let locked = read(path, &["rules", "used", "--from", "shp"], LOCKED);
    assert!(locked.contains("sentences: 1; outside the class: 1"), "{locked}");
}
