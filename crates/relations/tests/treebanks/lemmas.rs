//! The lemmatiser on the gold lemmas of Universal Dependencies.

use std::collections::BTreeMap;
use std::io::Read as _;

use tracebank_relations::lemma;

/// Words and lemmas that are right, in a file of `../ud`, and the commonest mistakes.
fn accuracy(file: &str) -> f64 {
    let path = tracebank_testdata::treebanks().join("../ud").join(file);
    let mut text = String::new();
    let file = std::fs::File::open(path).unwrap();
    flate2::read::MultiGzDecoder::new(file).read_to_string(&mut text).unwrap();
    let (mut right, mut all) = (0, 0);
    let mut wrong: BTreeMap<String, u32> = BTreeMap::new();
    for line in text.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [id, form, gold, _, tag, _, _, _, _, misc] = fields[..] else { continue };
        if id.contains(['-', '.']) || tag == "_" || tag == "GW" || misc.contains("CorrectForm") {
            continue;
        }
        let found = lemma(form, tag);
        all += 1;
        if found == gold {
            right += 1;
        } else {
            *wrong.entry(format!("{form} {tag} {gold} not {found}")).or_default() += 1;
        }
    }
    let mut wrong: Vec<_> = wrong.into_iter().collect();
    wrong.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    for (mistake, count) in wrong.iter().take(60) {
        println!("{count} {mistake}");
    }
    let share = f64::from(right) / f64::from(all);
    println!("{right} of {all}: {share:.4}");
    share
}

#[test]
#[ignore = "needs TREEBANKS"]
fn lemmas_of_universal_dependencies() {
    assert!(accuracy("ewt-dev.conllu.gz") > 0.98);
    assert!(accuracy("gum-dev.conllu.gz") > 0.98);
}
