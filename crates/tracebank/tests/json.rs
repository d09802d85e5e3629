//! The JSON form against its schema, by a validator of the few keywords that the schema uses.

use std::path::Path;

use serde_json::{Value, json};
use tracebank::{Options, Origin, OutputFormat, Parse, Record, Tree, testing};
use tracebank_syntax::penn::{Input, Reader};

/// The fault in `value`, if there is one.
fn fault(value: &Value, schema: &Value, root: &Value) -> Option<String> {
    let rules = schema.as_object().expect("a schema is an object");
    rules.iter().find_map(|(keyword, rule)| {
        let broken = |wanted: &str| Some(format!("{value} is not {wanted} {rule}"));
        match keyword.as_str() {
            "$schema" | "title" | "$defs" => None,
            "$ref" => {
                let pointer = rule.as_str().unwrap().trim_start_matches('#');
                fault(value, root.pointer(pointer).expect("what is referred to is there"), root)
            }
            "type" => {
                let names: Vec<&str> = rule.as_str().map_or_else(
                    || rule.as_array().unwrap().iter().filter_map(Value::as_str).collect(),
                    |name| vec![name],
                );
                if names.iter().any(|name| has_type(value, name)) { None } else { broken("of type") }
            }
            "enum" => {
                if rule.as_array().unwrap().contains(value) {
                    None
                } else {
                    broken("one of")
                }
            }
            "anyOf" => {
                let fits = rule.as_array().unwrap().iter().any(|choice| fault(value, choice, root).is_none());
                if fits { None } else { broken("any of") }
            }
            "minItems" => {
                if value.as_array().unwrap().len() >= rule.as_u64().unwrap() as usize {
                    None
                } else {
                    broken("as long as")
                }
            }
            "maxItems" => {
                if value.as_array().unwrap().len() <= rule.as_u64().unwrap() as usize {
                    None
                } else {
                    broken("as short as")
                }
            }
            "items" => value.as_array().unwrap().iter().find_map(|item| fault(item, rule, root)),
            "required" => {
                let missing = |name: &&Value| value.get(name.as_str().unwrap()).is_none();
                rule.as_array()
                    .unwrap()
                    .iter()
                    .find(missing)
                    .map(|name| format!("{name} is missing from {value}"))
            }
            "additionalProperties" => {
                assert_eq!(rule, &json!(false));
                let known = |name: &str| rules["properties"].get(name).is_some();
                value
                    .as_object()
                    .unwrap()
                    .keys()
                    .find(|name| !known(name))
                    .map(|name| format!("{name} is not in the schema"))
            }
            "properties" => {
                rule.as_object().unwrap().iter().find_map(|(name, rule)| fault(value.get(name)?, rule, root))
            }
            other => panic!("the validator of this test does not know {other}"),
        }
    })
}

fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.is_u64(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("the validator of this test does not know the type {other}"),
    }
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn schema() -> Value {
    serde_json::from_str(&std::fs::read_to_string(root().join("docs/json-format.schema.json")).unwrap())
        .unwrap()
}

const CAKES: &str = "( (NP (NP (NNS cakes)) (SBAR (WHNP-1 (-NONE- 0)) (S (NP-SBJ (PRP we)) (VP (VBD baked) (NP (-NONE- *T*-1)))))))";

#[test]
fn what_is_written_is_what_the_schema_says() {
    let schema = schema();
    let trees: Vec<Tree> = [
        "( (SBARQ (WHNP-1 (WDT Which) (NN book)) (SQ (VBD did) (NP-SBJ-2 (PRP she)) (VP (VB want) (S (NP-SBJ (-NONE- *-2)) (VP (TO to) (VP (VB buy) (NP (-NONE- *T*-1))))))) (. ?)))",
        CAKES,
    ]
    .map(|text| text.parse().unwrap())
    .to_vec();
    let parser = testing::parser(&trees, &["penn"])
        .with_options(Options { max_words: 20, ..Options::default() })
        .unwrap();
    let origin = Origin { file: "f".into(), number: 1, part: None, place: Some((1, 0)) };
    for text in
        ["Which book did she want to buy?", "cakes we baked", "", "so \"ein\" Käse", &"word ".repeat(30)]
    {
        let parse = parser.parse(text);
        for origin in [None, Some(&origin)] {
            let mut line = String::new();
            OutputFormat::Json.write(Record { parse: &parse, id: None, origin }, &mut line);
            let value: Value = serde_json::from_str(&line).unwrap();
            assert_eq!(fault(&value, &schema, &schema), None, "{line}");
            assert_eq!(value["text"], text);
            assert!(!line.contains("-0.0"), "{line}");
        }
    }
    let empty = parser.parse("").to_json();
    for field in ["relations", "tokens", "phrases", "nulls", "traces"] {
        assert_eq!(empty[field], json!([]), "{field}");
    }
}

#[test]
fn nulls_point_into_phrases_and_arguments_into_nulls() {
    let value = Parse::of_tree(CAKES.parse().unwrap()).to_json();
    assert_eq!(value["version"], 2);
    assert_eq!(value["phrases"][1], json!({"label": "NP", "tokens": [0, 1], "parent": 0}));
    assert_eq!(value["phrases"][3], json!({"label": "WHNP-1", "tokens": [1, 1], "parent": 2}));
    let trace = &value["nulls"][1];
    assert_eq!((&trace["antecedent"], &trace["overt"]), (&json!(3), &Value::Null));
    assert_eq!((&trace["role"], &trace["predicate"]), (&json!("object"), &json!(2)));
    assert_eq!(trace["description"], "*T*-1 = cakes, object of baked");
    assert_eq!(value["tokens"][0]["head"], Value::Null);
    assert_eq!(value["tokens"][2]["head"], 0);
    assert_eq!(value["traces"], json!([{"type": "*T*", "from": 2, "to": 2}]));
    let object = &value["relations"][0]["arguments"][1];
    assert_eq!(object["text"], "cakes");
    assert_eq!(object["via"], json!([{"null": 0}, {"null": 1}]));
}

#[test]
fn places_in_the_document_are_those_of_the_text() {
    let parser = testing::parser(&[CAKES.parse().unwrap()], &["penn"]);
    let text = "Öl.\n\ncakes we baked";
    let parse = parser.parse_text(text).pop().unwrap();
    let value = parse.to_json();
    let slice = |range: &Value| {
        let [from, to] = [0, 1].map(|end| range[end].as_u64().unwrap() as usize);
        text.chars().skip(from).take(to - from).collect::<String>()
    };
    assert_eq!(value["document"], json!({"bytes": [6, 20], "chars": [5, 19]}));
    assert_eq!(slice(&value["tokens"][2]["document_chars"]), "baked");
    assert_eq!(value["tokens"][2]["chars"], json!([9, 14]));
    assert_eq!(slice(&value["relations"][0]["arguments"][1]["document_chars"]), "cakes");
}

/// Gold trees of every kind: valid, and no index beyond its array.
#[test]
fn every_index_is_within_its_array() {
    let schema = schema();
    let mut trees = 0;
    for file in ["handmade.mrg", "craft-sample.mrg", "questions.mrg"] {
        for tree in Reader::new(Input::open(&root().join("treebank").join(file)).unwrap().stream) {
            trees += 1;
            let value = Parse::of_tree(tree.unwrap()).to_json();
            assert_eq!(fault(&value, &schema, &schema), None, "{value}");
            let length = |array: &str| value[array].as_array().unwrap().len() as u64;
            let within =
                |index: &Value, array: &str| index.as_u64().is_none_or(|index| index < length(array));
            for null in value["nulls"].as_array().unwrap() {
                for field in ["phrase", "host", "antecedent", "overt"] {
                    assert!(within(&null[field], "phrases"), "{value}");
                }
                assert!(within(&null["predicate"], "tokens"), "{value}");
                assert_eq!(null["role"].is_null(), !null["reason"].is_null(), "{value}");
            }
            for argument in value["relations"]
                .as_array()
                .unwrap()
                .iter()
                .flat_map(|found| found["arguments"].as_array().unwrap())
            {
                assert!(
                    argument["via"].as_array().unwrap().iter().all(|step| within(&step["null"], "nulls")),
                    "{value}"
                );
            }
        }
    }
    assert!(trees > 300, "{trees}");
}
