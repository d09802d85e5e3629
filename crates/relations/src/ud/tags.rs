//! Parts of speech, features and lemmas, by tables.

use std::sync::LazyLock;

use tracebank_syntax::tree::NodeId;

use crate::heads::is_existential;
use crate::lemma::{is_nationality, rows};
use crate::relations::is_imperative;
use crate::scene::Scene;

use super::Arcs;
use super::words::is_adjective_in_name;

static UPOS: LazyLock<Vec<Vec<&str>>> =
    LazyLock::new(|| rows(include_str!("../../data/ud/upos.tsv")).collect());
static FEATURES: LazyLock<Vec<Vec<&str>>> =
    LazyLock::new(|| rows(include_str!("../../data/ud/features.tsv")).collect());

/// Whether a word tagged as a name is an adjective: *Spanish*, *National*.
pub(crate) fn is_proper_adjective(scene: &Scene<'_>, leaf: NodeId) -> bool {
    scene.tree.word(leaf).is_some_and(|word| is_adjective_in_name(word) || is_nationality(word))
}

/// The tag and features of a word by itself.
#[derive(Clone, Debug)]
pub(crate) struct Tags {
    pub(crate) upos: &'static str,
    pub(crate) feats: Vec<String>,
    pub(crate) lemma: String,
}

/// The tags of all words.
pub(crate) fn all(scene: &Scene<'_>, arcs: &Arcs) -> Vec<Tags> {
    let mut tags: Vec<Tags> = (0..arcs.len()).map(|at| word(scene, arcs, at)).collect();
    // the first subject of each word, found once: many conjuncts ask the first of them for its own
    let mut subjects = vec![None; arcs.len()];
    for at in (0..arcs.len()).rev().filter(|&at| arcs[at].label.starts_with("nsubj")) {
        if let Some(verb) = arcs[at].head {
            subjects[verb] = Some(at);
        }
    }
    for at in 0..arcs.len() {
        agree(scene, arcs, &subjects, &mut tags, at);
    }
    tags
}

fn fits(pattern: &str, text: &str) -> bool {
    pattern == "-"
        || pattern == text
        || pattern.strip_suffix('*').is_some_and(|prefix| text.starts_with(prefix))
}

/// Pronouns that are written as nouns: *everybody*.
const PRONOUNS: [&str; 13] = [
    "everybody",
    "everyone",
    "everything",
    "anybody",
    "anyone",
    "anything",
    "somebody",
    "someone",
    "something",
    "nobody",
    "nothing",
    "one",
    "none",
];

fn word(scene: &Scene<'_>, arcs: &Arcs, at: usize) -> Tags {
    let leaf = scene.words[at];
    let tag = scene.category(leaf);
    let plain = super::conllu::plain(scene.tree.word(leaf).unwrap_or_default());
    // a year can be tagged as a noun
    let is_number = plain.starts_with(|c: char| c.is_ascii_digit())
        && plain.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','));
    let tag = if is_number && matches!(tag, "NN" | "NNP" | "LS") { "CD" } else { tag };
    let lower = plain.to_lowercase();
    let mut lemma = crate::lemma(&plain, tag);
    if tag == "VBZ" && lemma == "be" && matches!(lower.as_str(), "'s" | "’s") && is_has(scene, arcs, at) {
        "have".clone_into(&mut lemma);
    }
    let label = arcs[at].label.as_str();
    let label = if arcs[at].label == "conj" {
        arcs[at].head.map_or(label, |head| arcs[head].label.as_str())
    } else {
        label
    };
    let row = UPOS.iter().find(|row| {
        fits(row[0], tag) && fits(row[1], label) && (row[2] == "-" || row[2] == lemma || row[2] == lower)
    });
    let mut upos = row.map_or("X", |row| row[3]);
    if upos == "NOUN" && tag == "NN" && PRONOUNS.contains(&lower.as_str()) {
        upos = "PRON";
    }
    if tag == "NNP" && arcs[at].label == "amod" {
        upos = "ADJ";
    }
    // *there is a way*: a verb of its own
    let is_helper = matches!(arcs[at].label.as_str(), "aux" | "aux:pass" | "cop");
    if upos == "AUX"
        && !is_helper
        && scene.tree.parent(leaf).is_some_and(|phrase| is_existential(scene, phrase))
    {
        upos = "VERB";
    }
    if tag == "NFP" && plain.chars().any(|c| c == ')' || c == '(') && plain.len() > 1 {
        upos = "SYM";
    }
    // a word of letters or digits that is tagged as punctuation, and a mark that is not
    let marks = plain.chars().all(|c| !c.is_alphanumeric());
    if upos == "PUNCT" && !marks {
        upos = "X";
    }
    if arcs[at].label == "punct" {
        upos = "PUNCT";
    }
    let row = FEATURES.iter().find(|row| fits(row[0], tag) && fits(row[1], upos) && fits(row[2], &lower));
    let mut feats: Vec<String> =
        row.map(|row| row[3].split('|').map(str::to_owned).collect()).unwrap_or_default();
    match tag {
        "VBN" if label == "acl" || is_passive_word(arcs, at) => feats.push("Voice=Pass".to_owned()),
        "VBG" if has_auxiliary(arcs, at) => feats = vec!["Tense=Pres".to_owned(), "VerbForm=Part".to_owned()],
        "VB" if is_order(scene, arcs, at) => feats = vec!["Mood=Imp".to_owned(), "VerbForm=Fin".to_owned()],
        "CD" if upos == "NUM" && !plain.contains(|c: char| c.is_ascii_digit()) => {
            feats = vec!["NumForm=Word".to_owned(), "NumType=Card".to_owned()];
        }
        "PRP"
            if matches!(lower.as_str(), "it" | "you")
                && !arcs[at].label.starts_with("nsubj")
                && arcs[at].label != "expl" =>
        {
            for feature in &mut feats {
                if feature == "Case=Nom" {
                    "Case=Acc".clone_into(feature);
                }
            }
        }
        "WP" | "WP$" | "WRB" if in_relative_clause(arcs, at) => {
            for feature in feats.iter_mut().filter(|feature| *feature == "PronType=Int") {
                "PronType=Rel".clone_into(feature);
            }
        }
        "NNP" if upos == "ADJ" => feats = vec!["Degree=Pos".to_owned()],
        "NN" if upos == "PRON" => feats = vec!["Number=Sing".to_owned(), pronoun_type(&lower).to_owned()],
        _ => {}
    }
    if upos == "PUNCT" || upos == "SYM" {
        feats.clear();
    }
    feats.sort();
    Tags { upos, feats, lemma }
}

/// Whether a wh-word, or the phrase that it is in, depends on the verb of a relative clause.
fn in_relative_clause(arcs: &Arcs, at: usize) -> bool {
    let above = std::iter::successors(Some(at), |&at| arcs[at].head);
    above.skip(1).take(2).any(|verb| arcs[verb].label == "acl:relcl")
}

fn pronoun_type(word: &str) -> &'static str {
    match word {
        "nobody" | "nothing" | "none" => "PronType=Neg",
        "everybody" | "everyone" | "everything" => "PronType=Tot",
        _ => "PronType=Ind",
    }
}

fn is_has(scene: &Scene<'_>, arcs: &Arcs, at: usize) -> bool {
    arcs[at].label == "aux" && arcs[at].head.is_some_and(|head| scene.is(scene.words[head], &["VBN", "VBD"]))
}

fn is_passive_word(arcs: &Arcs, at: usize) -> bool {
    arcs.has(at, |label| label == "aux:pass") || arcs[at].label == "amod"
}

fn has_auxiliary(arcs: &Arcs, at: usize) -> bool {
    arcs.has(at, |label| label.starts_with("aux"))
}

fn is_order(scene: &Scene<'_>, arcs: &Arcs, at: usize) -> bool {
    let clause = scene.tree.ancestors(scene.words[at]).find(|&above| scene.is(above, &["S", "SQ"]));
    let helped = arcs.has(at, |label| matches!(label, "aux" | "mark" | "nsubj"));
    !helped && clause.is_some_and(|clause| is_imperative(scene, clause))
}

/// Number and person of a finite verb, from its subject.
fn agree(scene: &Scene<'_>, arcs: &Arcs, subjects: &[Option<usize>], tags: &mut [Tags], at: usize) {
    let tag = scene.category(scene.words[at]);
    if !matches!(tag, "VBP" | "VBD") || !matches!(tags[at].upos, "VERB" | "AUX") {
        return;
    }
    let verb = if matches!(arcs[at].label.as_str(), "aux" | "aux:pass" | "cop") {
        arcs[at].head.unwrap_or(at)
    } else {
        at
    };
    // *it seemed that he left*
    let expletive = || arcs.dependants(verb).find(|&other| arcs[other].label.starts_with("expl"));
    let subject = subjects[verb].or_else(expletive).or_else(|| {
        let first = arcs[verb].head.filter(|_| arcs[verb].label == "conj")?;
        subjects[first]
    });
    let Some(subject) = subject else { return };
    let feature = |name: &str| tags[subject].feats.iter().find(|feature| feature.starts_with(name)).cloned();
    let coordinated = arcs.has(subject, |label| label == "conj");
    let person = feature("Person=").unwrap_or_else(|| "Person=3".to_owned());
    let number = match feature("Number=") {
        _ if coordinated => "Number=Plur".to_owned(),
        Some(number) => number,
        None if tag == "VBP" && person == "Person=3" => "Number=Plur".to_owned(),
        None => "Number=Sing".to_owned(),
    };
    let number = if tag == "VBP" && person == "Person=3" { "Number=Plur".to_owned() } else { number };
    tags[at].feats.extend([number, person]);
    tags[at].feats.sort();
}

#[cfg(test)]
mod tests {
    #[test]
    fn words_have_their_parts_of_speech_whatever_their_tags() {
        for (tree, wanted) in [
            ("(NP (FW i.e.) (DT the) (NN dog))", "ADV DET NOUN"),
            ("(NP (FW mea) (FW culpa))", "X X"),
            ("(PP (IN in) (NP (NN 1990)))", "ADP NUM"),
            ("(NP (CD 5) (FW a.m.))", "NUM NOUN"),
            ("(S (LST (LS 1)) (NP-SBJ (-NONE- *)) (VP (VB Go)))", "NUM VERB"),
            ("(S (NP-SBJ (EX There)) (VP (VBZ is) (NP-PRD (DT a) (NN way))))", "PRON VERB DET NOUN"),
            (
                "(S (NP-SBJ-1 (EX There)) (VP (VBZ seems) (S (NP-SBJ (-NONE- *-1)) (VP (TO to) (VP (VB be) (NP-PRD (NN tea)))))))",
                "PRON VERB PART VERB NOUN",
            ),
        ] {
            let tokens = crate::ud::convert(&format!("( {tree})").parse().unwrap());
            let shown: Vec<&str> = tokens.iter().map(|token| token.upos).collect();
            assert_eq!(shown.join(" "), wanted, "{tree}");
        }
    }
}
