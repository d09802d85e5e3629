//! The ordered table of rules for relations: the first that fits counts. Each has an example, its dependent in brackets.

use crate::heads::{fronted_predicate, is_be, is_clause, is_existential, questioned_predicate, said_of};

use super::clauses::{
    begins_with, has_extraposed, has_tag, is_agent, is_direction, is_finite, is_infinitive, is_joined_by_so,
    is_of_able, is_of_seeming, is_passive_auxiliary, is_possessive, is_purpose, is_receiver, is_relative,
    is_which_clause, parenthesis_is, said_clause,
};
use super::labels::{VERBS, View};
use super::words::{TITLES, is_foreign_adverb};

const ADVERBIAL: [&str; 10] = ["TMP", "ADV", "LOC", "EXT", "MNR", "DIR", "PRP", "CLR", "BNF", "VOC"];

/// Words that begin adverbial clauses, and never the object of a verb.
const ADVERBIAL_MARKS: [&str; 17] = [
    "like", "as", "than", "because", "although", "though", "while", "since", "until", "unless", "before",
    "after", "once", "so", "lest", "whereas", "cause",
];

pub(super) type Rule = (&'static str, fn(&View) -> bool, &'static str);

/// The rules: label, condition, example.
pub(super) const RULES: &[Rule] = &[
    ("punct", |v| v.scene.is_punctuation(v.site.node), "She left [.]"),
    ("orphan", |v| v.scene.remnant(v.site.phrase) == Some(v.site.head), "Mary likes tea and John [coffee]"),
    ("parataxis", |v| v.site.conjunct && is_joined_by_so(v.scene, v.site.node), "it rained, so [we left]"),
    ("conj", |v| v.site.conjunct, "tea and [coffee]"),
    (
        "cc:preconj",
        |v| v.own(&["CC"]) && v.before_head() && matches!(v.word.as_str(), "both" | "either" | "neither"),
        "[both] tea and coffee",
    ),
    ("advmod", |v| v.own(&["CC"]) && v.word == "so", "[So] I left"),
    ("cc", |v| v.own(&["CC", "CONJP"]), "tea [and] coffee"),
    ("advmod", |v| v.own(&["PRT", "RP"]) && is_direction(v.scene, v.site.node), "came [back]"),
    ("compound:prt", |v| v.own(&["PRT", "RP"]), "give [up]"),
    ("discourse", |v| v.own(&["INTJ", "UH"]), "[oh], no"),
    ("discourse", |v| v.own(&["LST", "LS"]), "[1.] Buy it"),
    ("conj", |v| matches!(v.word.as_str(), "etc" | "etc.") && v.in_noun(), "tea, coffee, [etc]."),
    ("vocative", |v| v.function(&["VOC"]), "[Mary], come"),
    ("reparandum", |v| v.own(&["EDITED"]), "[the] the man"),
    // words beside a verb
    (
        "aux:pass",
        |v| {
            v.own(&VERBS)
                && v.around(&["VP", "SQ", "SINV", "S"])
                && v.is_token()
                && is_passive_auxiliary(v.scene, v.site)
        },
        "it [was] sold",
    ),
    (
        "aux:pass",
        |v| {
            v.own(&["VP"])
                && v.beside(&["VP"])
                && fronted_predicate(v.scene, v.site.phrase) == Some(v.site.head)
        },
        "Attached [is] the report",
    ),
    (
        "cop",
        |v| v.own(&["VP"]) && fronted_predicate(v.scene, v.site.phrase) == Some(v.site.head),
        "Here [are] some tips",
    ),
    (
        "cop",
        |v| v.own(&["SQ", "S"]) && questioned_predicate(v.scene, v.site.phrase) == Some(v.site.head),
        "What [is it]?",
    ),
    (
        "cop",
        |v| v.is_token() && is_be(v.scene, v.site.node) && said_of(v.scene, v.site.phrase).is_some(),
        "she [is] happy",
    ),
    ("aux", |v| v.own(&VERBS) && v.is_token() && v.around(&["VP", "SQ", "SINV", "S"]), "she [will] go"),
    ("aux", |v| v.own(&["POS", "BES", "HVS"]) && v.around(&["VP", "SQ"]), "she ['s] gone"),
    ("mark", |v| v.own(&["TO"]) && v.around(&["VP"]), "want [to] go"),
    (
        "mark",
        |v| v.own(&["IN", "DT", "TO"]) && v.is_token() && v.around(&["SBAR", "S"]),
        "said [that] she left",
    ),
    ("advmod", |v| v.own(&["RB", "RBR", "RBS"]) && v.around(&["SBAR"]), "[even] if she left"),
    (
        "mark",
        |v| {
            v.own(&["IN", "TO", "VBG", "VBN"])
                && v.is_token()
                && v.around(&["PP"])
                && v.beside(&["S", "SBAR", "VP", "SQ", "UCP"])
        },
        "[by] doing it",
    ),
    (
        "case",
        |v| {
            v.own(&["IN", "TO", "VBG", "VBN", "RP", "JJ", "FW", "CC", "POS"])
                && v.is_token()
                && v.around(&["PP", "WHPP"])
        },
        "[in] Paris",
    ),
    ("advmod", |v| v.own(&["FW", "ADVP"]) && is_foreign_adverb(&v.word), "[i.e.] the dog"),
    // words in a noun phrase
    ("case", |v| v.own(&["POS"]), "the man ['s] dog"),
    ("det:predet", |v| v.own(&["PDT"]), "[all] the men"),
    ("det", |v| v.own(&["DT", "WDT"]) && v.is_token(), "[the] dog"),
    ("nmod:poss", |v| v.own(&["PRP$", "WP$"]), "[her] dog"),
    (
        "amod",
        |v| {
            v.own(&["JJ", "JJR", "JJS", "VBG", "VBN", "VBD"])
                && v.is_token()
                && v.in_noun()
                && v.before_head()
        },
        "a [big] dog",
    ),
    (
        "amod",
        |v| {
            v.own(&["NNP", "NNPS"])
                && v.in_noun()
                && v.before_head()
                && super::tags::is_proper_adjective(v.scene, v.site.node)
        },
        "the [United] States",
    ),
    (
        "appos",
        |v| v.own(&["NNP"]) && v.in_noun() && v.beside(&["NNP"]) && !v.before_head() && v.is_set_off(),
        "Washington, [D.C.]",
    ),
    ("flat", |v| v.own(&["NNP"]) && v.in_noun() && v.beside(&["NNP"]) && !v.before_head(), "Mary [Smith]"),
    (
        "nummod",
        |v| v.own(&["CD", "QP"]) && v.around(&["NP", "NX", "NML", "WHNP", "NAC"]) && v.before_head(),
        "[five] dogs",
    ),
    ("nummod", |v| v.own(&["CD", "QP"]) && v.around(&["QP", "NP", "ADJP"]) && v.beside(&["$", "#"]), "$ [5]"),
    ("flat", |v| v.own(&["CD"]) && v.in_noun() && v.beside(&["NN", "NNP"]), "Article [3]"),
    ("compound", |v| v.own(&["CD", "NN"]) && v.around(&["QP"]), "[five] million"),
    ("nmod:unmarked", |v| v.own(&["NNP"]) && v.in_noun() && v.beside(&["CD"]), "[May] 2"),
    (
        "nmod:desc",
        |v| {
            v.own(&["NNP", "NN"])
                && v.in_noun()
                && v.beside(&["NNP", "NML"])
                && TITLES.contains(v.word.as_str())
        },
        "[President] Bush",
    ),
    (
        "compound",
        |v| {
            v.own(&["NN", "NNS", "NNP", "NNPS", "NML", "NX", "NAC", "AFX", "FW"])
                && v.in_noun()
                && v.before_head()
        },
        "a [phone] book",
    ),
    (
        "case",
        |v| v.own(&["IN", "RB"]) && v.is_token() && v.around(&["ADVP"]) && v.word == "at",
        "[at] least they left",
    ),
    ("advmod", |v| v.own(&["RB", "RBR", "RBS", "WRB"]) && v.is_token(), "[very] big"),
    (
        "advmod",
        |v| v.own(&["IN", "JJR", "JJS", "JJ", "DT", "TO"]) && v.is_token() && v.around(&["QP"]),
        "[about] five",
    ),
    ("case", |v| v.own(&["IN", "TO"]) && v.is_token() && v.in_noun(), "[of] which"),
    ("amod", |v| v.own(&["JJ", "VBN", "VBG"]) && v.is_token() && v.in_noun(), "something [new]"),
    (
        "advmod",
        |v| v.own(&["IN", "JJ", "JJR"]) && v.is_token() && v.around(&["ADVP", "ADJP", "WHADJP", "WHADVP"]),
        "[as] big",
    ),
    (
        "compound",
        |v| v.own(&["NN", "NNS", "NNP"]) && v.is_token() && v.around(&["ADJP"]) && !v.is_counted(),
        "a [state]-owned firm",
    ),
    (
        "obl:unmarked",
        |v| v.own(&["NN", "NNS", "CD", "NNP"]) && v.is_token() && v.around(&["ADVP", "ADJP"]),
        "five [miles] long",
    ),
    (
        "nmod:unmarked",
        |v| v.own(&["PRP", "CD", "NN", "NNS", "NNP"]) && v.is_token() && v.in_noun(),
        "the men [themselves]",
    ),
    ("dep", |v| v.is_token() && v.own(&["SYM", "$", "#"]), "[+] five"),
    // phrases in a noun phrase
    (
        "nmod:poss",
        |v| v.own(&["NP", "WHNP"]) && v.in_noun() && is_possessive(v.scene, v.site.node),
        "[the man's] dog",
    ),
    ("amod", |v| v.own(&["ADJP", "WHADJP"]) && v.in_noun() && v.before_head(), "a [very big] dog"),
    ("nummod", |v| v.own(&["QP"]) && v.in_noun(), "[about five] dogs"),
    (
        "acl:relcl",
        |v| v.own(&["SBAR"]) && (v.in_noun() || v.around(&["ADVP"])) && is_relative(v.scene, v.site.node),
        "the man [who left]",
    ),
    (
        "advcl",
        |v| {
            v.own(&["SBAR"])
                && v.in_noun()
                && begins_with(
                    v.scene,
                    v.site.node,
                    &[
                        "than", "as", "if", "because", "when", "while", "before", "after", "although",
                        "though",
                    ],
                )
        },
        "more [than he has]",
    ),
    ("acl", |v| v.own(&["SBAR", "VP", "S", "RRC", "SQ", "SINV"]) && v.in_noun(), "a chance [to go]"),
    ("amod", |v| v.own(&["ADJP"]) && v.in_noun(), "something [new]"),
    ("nmod:unmarked", |v| v.own(&["NP"]) && v.in_noun() && v.function(&ADVERBIAL), "the vote [last year]"),
    ("nmod:unmarked", |v| v.own(&["NP"]) && v.in_noun() && v.before_head(), "[a couple] dogs"),
    (
        "nmod:unmarked",
        |v| v.own(&["NP"]) && v.in_noun() && (v.word.ends_with("self") || v.word.ends_with("selves")),
        "God [himself]",
    ),
    (
        "nmod:unmarked",
        |v| {
            v.own(&["NP"])
                && v.beside(&["NP"])
                && v.in_noun()
                && !v.is_set_off()
                && begins_with(v.scene, v.site.node, &["a", "an"])
        },
        "30 cents [a share]",
    ),
    ("appos", |v| v.own(&["NP", "NX", "NML"]) && v.in_noun(), "Bush, [the president]"),
    ("advcl", |v| v.own(&["PP"]) && v.in_clause() && v.holds_clause(), "left [after eating]"),
    ("acl", |v| v.own(&["PP"]) && v.in_noun() && v.holds_clause(), "the cost [of living there]"),
    ("advcl", |v| v.own(&["PP"]) && v.holds_clause(), "good [at doing it]"),
    ("nmod", |v| v.own(&["PP", "WHPP"]) && v.in_noun(), "a man [of honour]"),
    (
        "appos",
        |v| {
            v.own(&["PRN"]) && v.in_noun() && parenthesis_is(v.scene, v.site.node, &["NP", "NN", "NNP", "NX"])
        },
        "the NSF [( the foundation )]",
    ),
    ("parataxis", |v| v.own(&["PRN"]), "the dogs [( see below )]"),
    (
        "nmod",
        |v| v.own(&["ADVP"]) && v.in_noun() && begins_with(v.scene, v.site.node, &["at"]),
        "[at least] five men",
    ),
    ("advmod", |v| v.own(&["ADVP", "WHADVP"]) && v.in_noun(), "the man [there]"),
    // subjects
    (
        "expl",
        |v| v.own(&["NP"]) && is_existential(v.scene, v.site.phrase) && has_tag(v.scene, v.site.node, "EX"),
        "[There] is a way",
    ),
    (
        "expl",
        |v| v.own(&["NP"]) && v.is_subject() && has_extraposed(v.scene, v.site.node),
        "[It] is hard to go",
    ),
    (
        "expl",
        |v| v.own(&["NP"]) && v.word == "it" && v.is_subject() && is_of_seeming(v.scene, v.site.phrase),
        "[It] seems that he left",
    ),
    (
        "csubj:pass",
        |v| is_clause(v.scene, v.site.node) && v.is_subject() && v.is_passive(),
        "[that he left] was said",
    ),
    ("csubj", |v| is_clause(v.scene, v.site.node) && v.is_subject(), "[that he left] is sad"),
    (
        "nsubj:outer",
        |v| v.is_subject() && said_clause(v.scene, v.site.phrase),
        "[The problem] is that he left",
    ),
    ("nsubj:pass", |v| v.is_subject() && v.is_passive(), "[it] was sold"),
    ("nsubj", |v| v.is_subject(), "[she] left"),
    (
        "nsubj",
        |v| {
            v.own(&["NP"])
                && v.around(&["VP"])
                && v.function(&["PRD"])
                && is_existential(v.scene, v.site.phrase)
        },
        "there is [a way]",
    ),
    // the rest of a clause
    ("obl:agent", |v| v.own(&["PP"]) && v.around(&["VP"]) && is_agent(v.scene, v.site), "sold [by Google]"),
    ("obl", |v| v.own(&["PP", "WHPP"]), "left [for Paris]"),
    (
        "dislocated",
        |v| v.own(&["NP"]) && v.function(&["TPC"]) && v.around(&["S"]) && v.site.label == v.site.node,
        "[This book], I like it",
    ),
    (
        "obl:unmarked",
        |v| v.own(&["NP", "QP"]) && v.function(&["TMP", "ADV", "LOC", "EXT", "MNR", "DIR"]),
        "left [last year]",
    ),
    (
        "xcomp",
        |v| v.own(&["NP", "ADJP", "ADVP", "UCP", "WHADJP"]) && v.around(&["VP"]) && v.function(&["PRD"]),
        "became [a doctor]",
    ),
    (
        "iobj",
        |v| v.own(&["NP", "WHNP"]) && v.around(&["VP"]) && is_receiver(v.scene, v.site.label),
        "gave [her] a book",
    ),
    ("obj", |v| v.own(&["NP", "NX", "NML", "QP", "WHNP", "NAC"]) && v.around(&["VP"]), "bought [a book]"),
    (
        "obj",
        |v| v.is_token() && v.own(&["NN", "NNS", "NNP", "PRP", "CD", "DT"]) && v.around(&["VP"]),
        "bought [it]",
    ),
    ("xcomp", |v| v.own(&["ADJP", "WHADJP", "JJ"]) && v.around(&["VP"]), "felt [sick]"),
    ("ccomp", |v| v.own(&["WHNP"]) && v.around(&["SBAR", "SBARQ"]), "[what] then"),
    ("obl", |v| v.own(&["ADVP"]) && begins_with(v.scene, v.site.node, &["at"]), "[at least] they left"),
    ("advmod", |v| v.own(&["ADVP", "WHADVP", "RB"]), "left [soon]"),
    (
        "advcl",
        |v| v.own(&["SBAR"]) && v.function(&["TMP", "ADV", "LOC", "PRP", "MNR", "DIR", "CLR"]),
        "left [when it rained]",
    ),
    (
        "advcl:relcl",
        |v| v.own(&["SBAR"]) && v.around(&["VP", "S"]) && is_which_clause(v.scene, v.site.node),
        "left, [which was sad]",
    ),
    (
        "acl:relcl",
        |v| {
            v.own(&["SBAR"])
                && v.around(&["VP"])
                && said_of(v.scene, v.site.phrase).is_some()
                && is_relative(v.scene, v.site.node)
        },
        "it was he [who left]",
    ),
    (
        "advcl",
        |v| {
            v.own(&["SBAR"])
                && v.around(&["VP", "ADJP"])
                && begins_with(v.scene, v.site.node, &ADVERBIAL_MARKS)
        },
        "looks [as if it rained]",
    ),
    (
        "advcl",
        |v| v.own(&["SBAR"]) && v.around(&["ADJP"]) && is_infinitive(v.scene, v.site.node),
        "easy [to read]",
    ),
    (
        "ccomp",
        |v| v.own(&["SBAR", "SBARQ", "SQ", "SINV"]) && v.around(&["VP", "ADJP"]),
        "said [that she left]",
    ),
    ("advcl", |v| v.own(&["SBAR"]), "[if she left], go"),
    (
        "advcl",
        |v| {
            v.own(&["SINV"])
                && v.around(&["S", "VP"])
                && begins_with(v.scene, v.site.node, &["had", "should", "were"])
        },
        "[had I known], I went",
    ),
    ("advcl", |v| v.own(&["S"]) && v.function(&["ADV", "TMP", "PRP", "LOC", "MNR"]), "left [to see her]"),
    ("ccomp", |v| v.own(&["S"]) && v.around(&["VP"]) && is_finite(v.scene, v.site.node), "said: [she left]"),
    (
        "advcl",
        |v| v.own(&["S"]) && v.around(&["VP"]) && is_purpose(v.scene, v.site.node),
        "opened the door [to see]",
    ),
    (
        "advcl",
        |v| v.own(&["S"]) && is_infinitive(v.scene, v.site.node) && !is_of_able(v.scene, v.site),
        "glad [to go]",
    ),
    ("xcomp", |v| v.own(&["S", "VP"]) && v.around(&["VP", "ADJP"]), "want [to go]"),
    (
        "ccomp",
        |v| v.own(&["S", "SINV", "SQ"]) && v.site.node != v.site.label && v.around(&["SBAR", "S"]),
        "[it rains], she said",
    ),
    (
        "advcl",
        |v| v.own(&["S"]) && v.around(&["S", "SINV", "ADVP"]) && !is_finite(v.scene, v.site.node),
        "[leaving], she smiled",
    ),
    ("advcl", |v| v.own(&["S", "VP"]) && v.around(&["ADVP", "PP", "ADJP"]), "enough [to go]"),
    (
        "obl:unmarked",
        |v| v.own(&["NP", "QP"]) && v.around(&["ADVP", "ADJP", "PP", "WHADVP", "WHADJP", "WHPP"]),
        "[two years] ago",
    ),
    ("advmod", |v| v.own(&["ADVP", "ADJP"]), "[right] in the house"),
    ("parataxis", |v| is_clause(v.scene, v.site.node) || v.own(&["VP", "FRAG", "X"]), "go, [he left]"),
    ("obl:unmarked", |v| v.own(&["NP"]) && v.around(&["S", "SQ", "SINV"]), "[today] it rains"),
    ("parataxis", |v| v.own(&["NP", "ADJP", "PP"]) && v.around(&["FRAG", "X", ""]), "Best regards, [John]"),
    ("parataxis", |v| v.own(&["NP"]) && v.around(&["SBARQ", "SBAR", "PRN"]), "see there, [Fig. 1]"),
    ("nmod:unmarked", |v| v.in_noun(), "tea [chai]"),
];

#[cfg(test)]
mod tests {
    use super::RULES;
    use crate::ud::convert;

    /// A tree for the example of each rule, in their order.
    const TREES: &str = include_str!("../../tests/rules.mrg");

    #[test]
    fn every_rule_gives_its_example_its_label() {
        assert_eq!(TREES.lines().count(), RULES.len());
        let mut wrong = Vec::new();
        for ((label, _, example), line) in RULES.iter().zip(TREES.lines()) {
            let tokens = convert(&line.parse().unwrap());
            let letters = |text: &str| text.split_whitespace().collect::<String>();
            let words: String = tokens.iter().map(|token| token.form.as_str()).collect();
            assert_eq!(words, letters(&example.replace(['[', ']'], "")), "{line}");
            let (before, rest) = example.split_once('[').unwrap();
            let from = letters(before).len();
            let to = from + letters(rest.split_once(']').unwrap().0).len();
            let mut end = 0;
            let inside: Vec<usize> = (0..tokens.len())
                .filter(|&at| {
                    end += tokens[at].form.len();
                    (from + 1..=to).contains(&end)
                })
                .collect();
            let hangs_outside = |&&at: &&usize| !inside.iter().any(|other| other + 1 == tokens[at].head);
            let labels: Vec<&str> =
                inside.iter().filter(hangs_outside).map(|&at| tokens[at].deprel.as_str()).collect();
            if !labels.contains(label) {
                wrong.push(format!("{example}: {label} wanted, {labels:?} found in {line}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
