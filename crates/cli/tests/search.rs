//! `tracebank search` and `tracebank index` as a user runs them.

use assert_cmd::Command;

const TREES: &str =
    "( (S (NP-SBJ-1 (PRP We)) (VP (VBP like) (S (NP-SBJ (-NONE- *-1)) (VP (VBG running)))) (. .)))
( (NP (NP (NNS cakes)) (SBAR (WHNP-1 (-NONE- 0)) (S (NP-SBJ (PRP we)) (VP (VBD baked) (NP (-NONE- *T*-1)))))))
";

fn search(arguments: &[&str]) -> (String, i32) {
    let output = Command::cargo_bin("tracebank")
        .unwrap()
        .arg("search")
        .args(arguments)
        .write_stdin(TREES)
        .output()
        .unwrap();
    (
        String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap(),
        output.status.code().unwrap(),
    )
}

#[test]
fn hits_are_lines_with_the_match_in_brackets() {
    assert_eq!(search(&["VP < VBG"]), ("<stdin>:1: We like [running] .\n".to_owned(), 0));
    assert_eq!(search(&["--name", "object-relative"]), ("<stdin>:2: [cakes we baked]\n".to_owned(), 0));
    assert_eq!(search(&["NP-SBJ => NP-SBJ-1"]), ("<stdin>:1: We like [*-1 = We] running .\n".to_owned(), 0));
    assert_eq!(search(&["anomaly"]), (String::new(), 1));
}

#[test]
fn counts_count_nodes_or_assignments() {
    assert_eq!(search(&["--count", "@NP"]).0, "6\n");
    assert_eq!(search(&["--count", "S << @VP=v"]).0, "3\n");
    assert_eq!(search(&["--count", "--bindings", "S << @VP=v"]).0, "4\n");
    assert_eq!(search(&["--not", "SBAR"]).0, "<stdin>:1: We like running .\n");
    assert_eq!(search(&["--files", "SBAR"]).0, "<stdin>\n");
    assert_eq!(search(&["--max", "1", "@NP"]).0.lines().count(), 1);
    assert_eq!(search(&["--sample", "3", "@NP"]).0.lines().count(), 3);
}

#[test]
fn tables_have_every_named_node() {
    let (table, _) = search(&["--tsv", "NP=gap => __=what"]);
    assert_eq!(
        table,
        "file\tnumber\tpattern\tlabel\tspan\twords\tantecedent\tgap.label\tgap.span\tgap.words\tgap.antecedent\twhat.label\twhat.span\twhat.words\twhat.antecedent\n\
         <stdin>\t2\tNP=gap => __=what\tNP\t3-3\t*T*-1\tcakes\tNP\t3-3\t*T*-1\tcakes\tWHNP-1\t1-1\t0\t\n"
    );
    let (json, _) = search(&["--json", "NP=gap => __"]);
    assert!(
        json.contains(r#""gap":{"label":"NP","span":[3,3],"words":"*T*-1","antecedent":"cakes"}"#),
        "{json}"
    );
    let (groups, _) = search(&["--by", "file", "@NP"]);
    assert!(
        groups.lines().nth(1).unwrap().starts_with("<stdin>        6        2         7    8571.43  █"),
        "{groups}"
    );
}

#[test]
fn a_pattern_that_does_not_parse_is_underlined() {
    let (message, code) = search(&["NP < (VP"]);
    assert!(
        code != 0 && message.contains("the pattern ends too early") && message.contains('^'),
        "{message}"
    );
}

#[test]
fn names_are_listed_with_an_example() {
    let (list, _) = search(&["--names"]);
    assert!(list.contains("by-passive") && list.contains("e.g. The letter was written by Ada ."));
}

#[test]
fn an_index_gives_the_hits_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trees.mrg");
    std::fs::write(&path, TREES).unwrap();
    let file = path.to_str().unwrap();
    let without = search(&["VP < VBD", file]);
    Command::cargo_bin("tracebank").unwrap().args(["index", file]).assert().success();
    assert_eq!(search(&["VP < VBD", file]), without);
    std::fs::write(&path, TREES.repeat(2)).unwrap();
    assert!(search(&["VP < VBD", file]).0.contains("older than the corpus"));
    assert_eq!(search(&["--no-index", "--count", "VP < VBD", file]).0, "2\n");
}

#[test]
fn pictures_have_the_hit_marked() {
    let folder = tempfile::tempdir().unwrap();
    search(&["--draw", folder.path().to_str().unwrap(), "VP < VBG"]);
    let picture = std::fs::read_to_string(folder.path().join("<stdin>-000001.svg")).unwrap();
    assert!(picture.starts_with("<svg"));
}
