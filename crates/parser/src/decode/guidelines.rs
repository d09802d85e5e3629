//! Guidelines: the structures that no treebank allows, counted in an analysis.
//!
//! A clause without a subject, a preposition with two objects, an `SBAR` that nothing introduces: every edge of such a tree may score well, for each is
//! asked alone. So the decoder takes a penalty off the score for each. That costs no exactness: trees come best first by a score without the
//! penalty, which can only be too high, so it bounds as before.
//!
//! The rules are those of the names `suspect-…` of `tracebank search`, in terms of spines and attachment sites.

use super::functions::Functions;
use crate::gold::WordAnalysis;
use crate::vocabulary::{PhraseContents, Vocabulary};

/// Whether a phrase breaks a rule.
type Breaks = fn(&Phrase<'_>) -> bool;

/// The rules, by the names that `tracebank search` has for what breaks them.
const RULES: [(&str, Breaks); 9] = [
    ("suspect-clause-without-subject", |phrase| {
        phrase.category == "S"
            && phrase.has_category("VP")
            && !phrase.has(|child| child.is_subject || child.tag == "CC")
    }),
    ("suspect-preposition-with-two-objects", |phrase| {
        phrase.category == "PP"
            && phrase.count(|child| child.category == "NP") > 1
            && !phrase.has(|child| matches!(child.tag, "CC" | ","))
    }),
    ("suspect-preposition-without-object", |phrase| {
        phrase.category == "PP" && matches!(phrase.tags()[..], ["IN" | "TO"])
    }),
    ("suspect-sbar-over-clause-alone", |phrase| {
        phrase.category == "SBAR" && matches!(phrase.categories()[..], ["S"])
    }),
    ("suspect-conjunct-alone", |phrase| {
        CONJOINED.contains(&phrase.category) && matches!(phrase.tags()[..], ["CC", _])
    }),
    ("suspect-wh-without-trace", |phrase| {
        matches!(phrase.category, "SBAR" | "SBARQ")
            && phrase.has(|child| child.category.starts_with("WH"))
            && phrase.has(|child| matches!(child.category, "S" | "SQ" | "SINV"))
            && !phrase.has(|child| child.tag == "CC")
            && !phrase.is_over_trace
    }),
    ("suspect-to-outside-verb-phrase", |phrase| {
        let is_clause = matches!(phrase.category, "S" | "SINV" | "SQ" | "SBAR");
        let stands_before_verb_phrase = |pair: &[Child<'_>]| pair[0].tag == "TO" && pair[1].category == "VP";
        phrase.category != "VP"
            && (is_clause && phrase.has(|child| child.tag == "TO")
                || phrase.children.windows(2).any(stands_before_verb_phrase))
    }),
    ("suspect-to-before-clause", |phrase| {
        phrase.category == "VP"
            && phrase.children.get(..2).is_some_and(|first| first[0].tag == "TO" && first[1].category == "S")
    }),
    ("suspect-verbs-side-by-side", |phrase| {
        phrase.category == "VP"
            && phrase.count(|child| VERBS.iter().any(|verb| child.tag.starts_with(verb))) > 1
            && !phrase
                .has(|child| matches!(child.tag, "CC" | "," | ":" | "HYPH") || child.category == "CONJP")
    }),
];

/// The phrases that a conjunction with one conjunct is looked for in.
const CONJOINED: [&str; 8] = ["NP", "VP", "PP", "ADJP", "ADVP", "SBAR", "S", "NML"];

/// The tags of verbs and of what stands before them, by how they begin.
const VERBS: [&str; 3] = ["VB", "MD", "TO"];

/// A phrase of an analysis and its children, those of nulls before the others: where they stand among them is not known yet.
struct Phrase<'a> {
    category: &'a str,
    children: Vec<Child<'a>>,
    /// Whether a trace of movement is somewhere below its head.
    is_over_trace: bool,
}

/// A child of a phrase: a word, which has a tag, or a phrase, which has a category.
#[derive(Clone, Copy, Default)]
struct Child<'a> {
    category: &'a str,
    tag: &'a str,
    is_subject: bool,
}

impl Phrase<'_> {
    fn count(&self, is_meant: impl Fn(&Child<'_>) -> bool) -> usize {
        self.children.iter().filter(|child| is_meant(child)).count()
    }

    fn has(&self, is_meant: impl Fn(&Child<'_>) -> bool) -> bool {
        self.children.iter().any(is_meant)
    }

    fn has_category(&self, category: &str) -> bool {
        self.has(|child| child.category == category)
    }

    fn tags(&self) -> Vec<&str> {
        self.children.iter().map(|child| child.tag).collect()
    }

    fn categories(&self) -> Vec<&str> {
        self.children.iter().map(|child| child.category).collect()
    }
}

/// How many structures of an analysis break a rule. Tags and function tags must have been chosen.
pub(super) fn violations(words: &[WordAnalysis], functions: &Functions, vocabulary: &Vocabulary) -> usize {
    let broken = |phrase: &Phrase<'_>| RULES.iter().filter(|(_, breaks)| breaks(phrase)).count();
    phrases(words, functions, vocabulary).iter().map(broken).sum()
}

/// The phrases of an analysis with their children.
fn phrases<'a>(words: &[WordAnalysis], functions: &Functions, vocabulary: &'a Vocabulary) -> Vec<Phrase<'a>> {
    let facts = |word: usize| vocabulary.facts(words[word].spine);
    let tag =
        |word: usize| Child { tag: &vocabulary.names().tags[words[word].tag.index()], ..Child::default() };
    let top = |word: usize| match facts(word).contents.last() {
        Some(phrase) => Child {
            category: &phrase.category,
            is_subject: functions.is_subject(words[word].function),
            ..Child::default()
        },
        None => tag(word),
    };
    let mut dependants: Vec<Vec<(usize, usize)>> = vec![Vec::new(); words.len()];
    let mut is_over_trace: Vec<bool> = (0..words.len()).map(|word| facts(word).has_trace).collect();
    for (word, analysis) in words.iter().enumerate() {
        if let Some(head) = (analysis.head as usize).checked_sub(1) {
            let height = facts(head).height(analysis.attachment);
            dependants[head].extend(height.map(|height| (word, height)));
        }
        let mut at = word;
        while facts(word).has_trace && words[at].head > 0 && !is_over_trace[words[at].head as usize - 1] {
            at = words[at].head as usize - 1;
            is_over_trace[at] = true;
        }
    }
    let mut phrases = Vec::new();
    for (head, dependants) in dependants.iter().enumerate() {
        let mut below = tag(head);
        for (height, PhraseContents { category, nulls }) in facts(head).contents.iter().enumerate() {
            let null = |null: &'a Option<String>| Child {
                category: null.as_deref().unwrap_or_default(),
                // The null noun phrase of a clause is its subject.
                is_subject: category == "S" && null.as_deref() == Some("NP"),
                ..Child::default()
            };
            let here = dependants.iter().filter(|&&(_, at)| at == height).map(|&(word, _)| word);
            let left = here.clone().filter(|&word| word < head);
            let right = here.filter(|&word| word > head);
            let children = nulls.iter().map(null).chain(left.map(top));
            let children = children.chain([below]).chain(right.map(top)).collect();
            phrases.push(Phrase { category, children, is_over_trace: is_over_trace[head] });
            below = Child { category, ..Child::default() };
        }
    }
    phrases
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gold::TrainingExample;
    use crate::vocabulary::VocabularyCounter;
    use tracebank_syntax::heads::HeadTable;
    use tracebank_syntax::tree::Tree;

    /// The rules that a tree breaks, in the order of its phrases.
    fn broken(text: &str) -> Vec<&'static str> {
        let tree: Tree = text.parse().unwrap();
        let example = TrainingExample::of(&tree, &HeadTable::named("penn").unwrap()).unwrap();
        let mut counter = VocabularyCounter::default();
        counter.add(&example.projection, &example.functions);
        let vocabulary = Vocabulary::new(counter.names(1)).unwrap();
        let words = example.gold(&vocabulary).complete().unwrap().words;
        let functions = Functions::new(&vocabulary);
        let phrases = phrases(&words, &functions, &vocabulary);
        let of_phrase =
            |phrase| RULES.iter().filter(move |(_, breaks)| breaks(phrase)).map(|(name, _)| *name);
        let names: Vec<&str> = phrases.iter().flat_map(of_phrase).collect();
        assert_eq!(names.len(), violations(&words, &functions, &vocabulary));
        names
    }

    #[test]
    fn what_breaks_a_rule_is_told_from_what_looks_like_it() {
        let cases = [
            ("( (S (NP (PRP She)) (VP (VBD left)) (. .)))", "clause-without-subject"),
            ("( (S (NP-SBJ (PRP She)) (VP (VBD left)) (. .)))", ""),
            ("( (S (NP-SBJ (-NONE- *)) (VP (VB Leave)) (. .)))", ""),
            ("( (S (CC And) (VP (VBD left)) (. .)))", ""),
            ("( (PP (IN in) (NP (NNP Turkey)) (NP (NNP Spain))))", "preposition-with-two-objects"),
            ("( (PP (IN in) (NP (NNP Turkey)) (CC and) (NP (NNP Spain))))", ""),
            ("( (NP (NP (DT the) (NN car)) (PP (IN for))))", "preposition-without-object"),
            ("( (NP (NP (DT the) (NN car)) (PP (IN for) (NP (-NONE- *?*)))))", ""),
            (
                "( (S (NP-SBJ (PRP She)) (VP (VBD said) (SBAR (S (NP-SBJ (PRP it)) (VP (VBD rained)))))))",
                "sbar-over-clause-alone",
            ),
            (
                "( (S (NP-SBJ (PRP She)) (VP (VBD said) (SBAR (-NONE- 0) (S (NP-SBJ (PRP it)) (VP (VBD rained)))))))",
                "",
            ),
            ("( (NP (NP (NN tea)) (, ,) (NP (CC and) (NP (NN milk)))))", "conjunct-alone"),
            ("( (NP (NP (NN tea)) (CC and) (NP (NN milk))))", ""),
            (
                "( (SBARQ (WHNP (WP What)) (SQ (VBD did) (NP-SBJ (PRP she)) (VP (VB buy))) (. ?)))",
                "wh-without-trace",
            ),
            (
                "( (SBARQ (WHNP-1 (WP What)) (SQ (VBD did) (NP-SBJ (PRP she)) (VP (VB buy) (NP (-NONE- *T*-1)))) (. ?)))",
                "",
            ),
            ("( (S (NP-SBJ (-NONE- *)) (TO to) (VP (VB leave))))", "to-outside-verb-phrase"),
            ("( (S (NP-SBJ (-NONE- *)) (VP (TO to) (VP (VB leave)))))", ""),
            (
                "( (S (TO To) (NP-SBJ (NN err)) (VP (VBZ is) (ADJP-PRD (JJ human)))))",
                "to-outside-verb-phrase",
            ),
            ("( (NP (QP (CD five) (TO to) (CD ten)) (NNS men)))", ""),
            ("( (VP (VBZ hopes) (VP (TO to) (S (NP-SBJ (-NONE- *)) (VP (VB leave))))))", "to-before-clause"),
            ("( (VP (VBZ hopes) (S (NP-SBJ (-NONE- *)) (VP (TO to) (VP (VB leave))))))", ""),
            ("( (VP (VBZ hopes) (TO to) (VP (VB leave))))", "verbs-side-by-side"),
            ("( (VP (VBD came) (CC and) (VBD saw)))", ""),
        ];
        for (tree, name) in cases {
            let expected: Vec<String> =
                (!name.is_empty()).then(|| format!("suspect-{name}")).into_iter().collect();
            assert_eq!(broken(tree), expected, "{tree}");
        }
    }

    #[test]
    fn a_trace_may_be_deep_below_its_phrase() {
        let deep = "( (SBARQ (WHNP-1 (WP What)) (SQ (VBD did) (NP-SBJ (PRP she)) (VP (VB say) (SBAR (-NONE- 0) (S (NP-SBJ \
                    (PRP they)) (VP (VBD bought) (NP (-NONE- *T*-1))))))) (. ?)))";
        assert!(broken(deep).is_empty());
    }
}
