//! The models in the box are those whose training EXPERIMENTS.md records: the same bytes, the same scores.

use std::fs;
use std::path::Path;

use serde_json::Value;

#[test]
fn the_record_names_the_models_in_the_box() {
    let record = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../EXPERIMENTS.md");
    let record = fs::read_to_string(record).unwrap();
    for name in [tracebank::DEFAULT_MODEL, tracebank::FAST_MODEL] {
        let file =
            tracebank::embedded_model(name).expect("the name is known").expect("the model is built in");
        file.verify().unwrap();
        assert!(file.len() <= 40_000_000, "{name} has {} bytes", file.len());
        let checksum = file.checksum();
        assert!(record.contains(&checksum), "EXPERIMENTS.md does not name {checksum}, the model {name}");
        let about: Value = file.json("about").unwrap();
        let figures = about["figures"].as_object().expect("scores by file");
        assert!(!figures.is_empty());
        for (trees, scores) in figures {
            let [brackets, nulls, coindex] =
                ["evalb", "null", "coindex"].map(|metric| scores[metric].as_f64().unwrap());
            let row = format!("| {trees} | {brackets:.2} / {nulls:.2} / {coindex:.2} |");
            assert!(record.contains(&row), "EXPERIMENTS.md has no row {row:?} for the model {name}");
        }
        let attribution = about["recipe"]["attribution"].as_array().expect("attributions");
        for corpus in ["CRAFT", "GENIA", "MASC"] {
            assert!(
                attribution.iter().any(|line| line.as_str().is_some_and(|line| line.contains(corpus))),
                "{name} thanks {corpus}"
            );
        }
    }
}

#[test]
fn the_models_in_the_box_can_parse() {
    let tree = "( (S (NP-SBJ-1 (PRP She)) (VP (VBZ wants) (S (NP-SBJ (-NONE- *-1)) (VP (TO to) (VP (VB leave))))) (. .)))";
    for name in [tracebank::DEFAULT_MODEL, tracebank::FAST_MODEL] {
        let model =
            tracebank::embedded_model(name).expect("the name is known").expect("the model is built in");
        let parser = tracebank::Parser::with_model(&model).unwrap();
        assert_eq!(
            parser.parse_tokens(&["She", "wants", "to", "leave", "."]).tree.to_string(),
            tree,
            "{name}"
        );
    }
}
