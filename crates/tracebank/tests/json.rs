//! The JSON form against its schema, by a validator of the few keywords that the schema uses.

use std::path::Path;

use serde_json::{Value, json};
use tracebank::{Options, Origin, OutputFormat, Record, testing};
use tracebank_syntax::tree::Tree;

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
        "number" => value.is_number(),
        "integer" => value.is_u64(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("the validator of this test does not know the type {other}"),
    }
}

#[test]
fn what_is_written_is_what_the_schema_says() {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json-format.schema.json");
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(schema).unwrap()).unwrap();
    let trees: Vec<Tree> = [
        "( (SBARQ (WHNP-1 (WDT Which) (NN book)) (SQ (VBD did) (NP-SBJ-2 (PRP she)) (VP (VB want) (S (NP-SBJ (-NONE- *-2)) (VP (TO to) (VP (VB buy) (NP (-NONE- *T*-1))))))) (. ?)))",
        "( (NP (NP (NNS cakes)) (SBAR (WHNP-1 (-NONE- 0)) (S (NP-SBJ (PRP we)) (VP (VBD baked) (NP (-NONE- *T*-1)))))))",
    ]
    .map(|text| text.parse().unwrap())
    .to_vec();
    let parser = testing::parser(&trees, &["penn"])
        .with_options(Options { max_words: 20, ..Options::default() })
        .unwrap();
    let origin = Origin { file: "f".into(), number: 1, place: Some((1, 0)) };
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
        }
    }
    let value = parser.parse("cakes we baked").to_json();
    assert_eq!(value["nulls"][1]["description"], "*T*-1 = cakes, object of baked");
    assert_eq!(value["nulls"][1]["antecedent"], json!({"label": "WHNP", "tokens": [1, 1], "words": ""}));
    assert_eq!(value["phrases"][1], json!({"label": "NP", "tokens": [0, 1], "parent": 0}));
    assert_eq!(value["tokens"][0]["head"], 0);
}
