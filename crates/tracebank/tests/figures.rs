//! Figures in `docs/lab/figures.toml` are those of the models in the box, and README.md tells no others.

mod common;

use std::fs;

use common::{Record, record, repository, shown};
use serde_json::Value;

/// Columns of README's table, and the test parts that they show.
const COLUMNS: [(&str, &str); 5] = [
    ("CRAFT", "craft-test.released.mrg.gz"),
    ("GENIA", "genia-test.mrg.gz"),
    ("MASC", "masc-test.mrg.gz"),
    ("MASC 3", "masc3-test.mrg.gz"),
    ("WSJ", "wsj-test.mrg.gz"),
];

fn readme() -> String {
    fs::read_to_string(repository("README.md")).unwrap()
}

fn cells(row: &str) -> Vec<&str> {
    row.trim().trim_matches('|').split('|').map(str::trim).collect()
}

#[test]
fn the_record_has_the_dev_figures_of_the_embedded_models() {
    for (name, model) in record() {
        let file = tracebank::embedded_model(&name).expect("a name of a model").unwrap();
        let about: Value = file.json("about").unwrap();
        let dev = about["figures"].as_object().expect("scores by file");
        assert!(!dev.is_empty());
        for (trees, scores) in dev {
            let stored = ["evalb", "null", "coindex"].map(|metric| scores[metric].as_f64().unwrap());
            assert_eq!(shown(model.figures[trees].f1, 4), shown(stored, 4), "{name} on {trees}");
        }
        let test_parts = COLUMNS.iter().filter(|(_, trees)| model.figures.contains_key(*trees));
        assert_eq!(test_parts.count(), COLUMNS.len(), "{name} has figures of every test part");
        assert_eq!(model.figures.len(), dev.len() + COLUMNS.len(), "{name} has figures of nothing else");
    }
}

#[test]
fn the_table_in_the_readme_is_of_the_default_model() {
    let (record, readme) = (record(), readme());
    let is_row = |line: &str| line.starts_with('|');
    let is_header = |line: &str| is_row(line) && COLUMNS.iter().all(|(column, _)| line.contains(column));
    let mut lines = readme.lines().skip_while(|line| !is_header(line));
    let header = cells(lines.next().expect("a header row that names the five treebanks"));
    let row = lines.take_while(|line| is_row(line)).find(|line| line.contains("brackets"));
    let row = cells(row.expect("a row of brackets"));
    for (column, trees) in COLUMNS {
        let at = header.iter().position(|cell| cell.contains(column)).unwrap();
        let expected = shown(record[tracebank::DEFAULT_MODEL].figures[trees].f1, 1);
        assert_eq!(row[at].replace('*', ""), expected, "README.md, column {column}");
    }
}

#[test]
fn every_three_figures_in_the_readme_are_in_the_record() {
    let known = all(&record());
    let readme = readme();
    let words: Vec<&str> = readme.split_whitespace().collect();
    let mut found = 0;
    for window in words.windows(5) {
        let &[first, "/", second, "/", third] = window else { continue };
        let figures = [first, second, third]
            .map(|word| word.trim_matches(|c: char| !c.is_ascii_digit()).parse::<f64>().unwrap_or(f64::NAN));
        if figures.iter().any(|figure| figure.is_nan()) {
            continue;
        }
        found += 1;
        assert!(known.contains(&shown(figures, 1)), "README.md has {}, no model has", window.join(" "));
    }
    assert!(found >= COLUMNS.len(), "README.md has {found} times three figures");
}

/// Every three figures of the record, with one digit.
fn all(record: &Record) -> Vec<String> {
    record.values().flat_map(|model| model.figures.values()).map(|figures| shown(figures.f1, 1)).collect()
}
