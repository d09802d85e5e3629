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
    let (message, code) = search(&["anomaly"]);
    assert_eq!((message.as_str(), code), ("warning: no label or word in the files fits `anomaly`\n", 1));
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
        code == 2 && message.contains("the pattern ends too early") && message.contains('^'),
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
    // words are counted in all trees, trees without a hit are shown, several patterns are asked at once
    for more in [
        &["--by", "file", "VP < VBD"][..],
        &["--not", "SBAR"],
        &["--name", "object-relative,subject-control"],
        &["--json", "NP=gap => __=what"],
        &["--trees", "VP < VBD"],
        &["--count", "__ #> __"],
        &["--count", "--bindings", "S << @VP=v"],
    ] {
        let mut arguments = more.to_vec();
        arguments.push(file);
        let with = search(&arguments);
        arguments.push("--no-index");
        assert_eq!(with, search(&arguments), "{more:?}");
        assert_eq!(with.1, 0, "{more:?}");
    }
    std::fs::write(&path, TREES.repeat(2)).unwrap();
    let (anew, code) = search(&["--count", "VP < VBD", file]);
    assert!(anew.starts_with("2\n") && anew.contains("older than the corpus") && code == 0, "{anew}");
    assert_eq!(search(&["--count", "VP < VBD", file]).0, "2\n");
    let index = path.with_extension("mrg.tbx");
    std::fs::write(&index, "tbindex2, and no more").unwrap();
    let (damaged, code) = search(&["VP < VBD", file]);
    assert!(damaged.contains("damaged") && code == 2, "{damaged}");
    assert_eq!(search(&["--no-index", "--count", "VP < VBD", file]).0, "2\n");
    std::fs::write(&index, "somebody's notes").unwrap();
    let (foreign, code) = search(&["VP < VBD", file]);
    assert!(foreign.contains("this is no index of ours") && code == 2, "{foreign}");
    Command::cargo_bin("tracebank").unwrap().args(["index", file]).assert().failure();
    assert_eq!(std::fs::read(&index).unwrap(), b"somebody's notes");
}

#[test]
fn a_file_with_a_byte_order_mark_is_indexed_as_it_is_searched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trees.mrg");
    std::fs::write(&path, format!("\u{feff}{}", TREES.replace('\n', "\r\n"))).unwrap();
    let file = path.to_str().unwrap();
    let without = search(&["--trees", "VP < VBD", file]);
    Command::cargo_bin("tracebank").unwrap().args(["index", file]).assert().success();
    assert_eq!(search(&["--trees", "VP < VBD", file]), without);
    assert_eq!(without.1, 0);
}

#[test]
fn pictures_have_the_hit_marked() {
    let folder = tempfile::tempdir().unwrap();
    let draw = |pattern: &str| {
        search(&["--draw", folder.path().to_str().unwrap(), "--force", pattern]);
        std::fs::read_to_string(folder.path().join("stdin-000001.svg")).unwrap()
    };
    let (verb, subject) = (draw("VP < VBG"), draw("NP-SBJ-1"));
    assert!(verb.starts_with("<svg") && verb != subject);
    let (refused, code) = search(&["--draw", folder.path().to_str().unwrap(), "VP < VBG"]);
    assert!(refused.contains("--force writes there") && code == 2, "{refused}");
    search(&["--draw", folder.path().to_str().unwrap(), "--force", "--sample", "1", "--seed", "3", "@NP"]);
    assert!(std::fs::read_dir(folder.path()).unwrap().count() <= 2);
}

#[test]
#[cfg(unix)]
fn an_index_has_the_permissions_of_any_new_file() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trees.mrg");
    std::fs::write(&path, TREES).unwrap();
    Command::cargo_bin("tracebank").unwrap().arg("index").arg(&path).assert().success();
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&path), mode(&path.with_extension("mrg.tbx")));
}

#[test]
fn errors_are_told_apart_from_finding_nothing() {
    assert_eq!(search(&["NP", "no-such-file.mrg"]).1, 2);
    assert_eq!(search(&["--name", "no-such-name"]).1, 2);
    assert_eq!(search(&[]).1, 2);
    assert_eq!(search(&["NP-SBJ-7"]).1, 1);
    assert_eq!(search(&["--count", "NP-SBJ-7"]).1, 1);
}

#[test]
fn a_pattern_that_can_match_nothing_says_so() {
    let (message, code) = search(&["NP < VP !< __"]);
    assert!(message.contains("warning: NP < VP !< __ can match nothing") && code == 1, "{message}");
    let (message, _) = search(&["@NP-SBJ"]);
    assert!(message.contains("fits no label: the category of one is `NP`"), "{message}");
}

#[test]
fn lines_are_those_of_the_file() {
    let trees = format!("\n\n{TREES}\n( (S\n  (NP (NN dog))))\n");
    let output = Command::cargo_bin("tracebank")
        .unwrap()
        .args(["search", "-n", "@NP"])
        .write_stdin(trees)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().filter_map(|line| line.split(':').nth(1)).collect();
    assert_eq!(lines, ["3", "3", "4", "4", "4", "4", "6"], "{text}");
}

#[test]
fn files_may_be_gzip_and_are_grouped_by_year_and_folder() {
    use std::io::Write as _;
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for (year, times) in [("1850", 1), ("1900", 2)] {
        let path = folder.path().join(format!("novel-{year}.mrg.gz"));
        let file = std::fs::File::create(&path).unwrap();
        let mut packed = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
        packed.write_all(TREES.repeat(times).as_bytes()).unwrap();
        packed.finish().unwrap();
        files.push(path.to_str().unwrap().to_owned());
    }
    let (table, _) = search(&["--by", "year", "--tsv", "NP < NNS", &files[0], &files[1]]);
    assert_eq!(
        table,
        "group\thits\ttrees\twords\tper_10000\n1850\t1\t2\t7\t1428.5714\n1900\t2\t4\t14\t1428.5714\n"
    );
    let (table, _) = search(&["--by", "name", "--name", "object-relative,subject-control", &files[1]]);
    assert!(
        table.contains("object-relative        2") && table.contains("subject-control        2"),
        "{table}"
    );
    let (list, _) = search(&["--files", "NP < NNS", &files[0], &files[1]]);
    assert_eq!(list.lines().count(), 2);
}

#[test]
fn a_sample_is_drawn_by_its_seed() {
    let all = search(&["@NP|VP"]).0;
    let sample = |seed: &str| search(&["--sample", "4", "--seed", seed, "@NP|VP"]).0;
    assert_eq!(sample("5"), sample("5"));
    assert!(["1", "2", "3", "4"].iter().any(|seed| sample(seed) != sample("5")));
    assert!(sample("5").lines().all(|line| all.contains(line)));
}

#[test]
fn text_is_parsed_on_the_fly() {
    let (found, code) = search(&["--parse", "--model", "fast", "@VP < /^VB/", "The dog barked."]);
    assert!(found.contains("The dog [barked]") && code == 0, "{found}");
}
