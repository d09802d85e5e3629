//! Function tags of the words of an analysis: the best of each, with one subject a clause.
//!
//! A scorer looks at one word at a time, so two phrases of a clause may both come out as its subject, or none, and one outside of any clause may. Only noun
//! phrases and clauses are subjects, and only in a clause or a fragment of one. The clause decides: of several
//! the surest stays, a clause with a null subject has no other, and a verb phrase that would be without one takes the likeliest noun phrase or clause
//! before it.

use tracebank_syntax::tree::Label;

use crate::gold::WordAnalysis;
use crate::null_functions::CLAUSES;
use crate::scores::SentenceScores;
use crate::vocabulary::{AttachmentId, FunctionId, SpineFacts, Vocabulary};

const SUBJECT: &str = "SBJ";
/// The phrases that can be a subject, whatever the scorer says.
const NOMINAL: [&str; 3] = ["NP", "S", "SBAR"];
/// The phrases that can have a subject: in the treebanks hardly one in 3,000 is elsewhere.
const HOSTS: [&str; 7] = ["S", "SINV", "SQ", "SBAR", "FRAG", "PRN", "EDITED"];

/// The least by which a phrase may be no subject, in logarithms, and still become one where the clause needs one.
const LEAST: f32 = -7.0;

/// The choice of function tags, with all known that the vocabulary tells.
#[derive(Clone, Debug)]
pub(super) struct Functions {
    /// For each set of function tags, whether it names a subject.
    is_subject: Vec<bool>,
    /// For each attachment, whether a subject can be there.
    is_host: Vec<bool>,
}

/// The best function tags of a word that make it a subject, and the best that do not; how much the first are better.
#[derive(Clone, Copy)]
pub(super) struct Options {
    subject: FunctionId,
    other: FunctionId,
    margin: f32,
}

impl Functions {
    pub(super) fn new(vocabulary: &Vocabulary) -> Functions {
        let is_subject = |name: &String| name.split('-').any(|function| function == SUBJECT);
        let is_host = |name: &String| {
            let phrase = name.split_once('#').map_or(name.as_str(), |(phrase, _)| phrase);
            HOSTS.contains(&Label::parse(phrase).category())
        };
        let names = vocabulary.names();
        Functions {
            is_subject: names.functions.iter().map(is_subject).collect(),
            is_host: names.attachments.iter().map(is_host).collect(),
        }
    }

    /// Whether function tags name a subject.
    pub(super) fn is_subject(&self, function: FunctionId) -> bool {
        self.is_subject[function.index()]
    }

    fn may_have_subject(&self, phrase: AttachmentId) -> bool {
        self.is_host.get(phrase.index()).copied().unwrap_or(false)
    }

    /// The options of the words of a sentence.
    pub(super) fn options(&self, scores: &SentenceScores) -> Vec<Options> {
        (0..scores.words()).map(|word| self.of_row(scores.functions.row(word))).collect()
    }

    /// Gives each word of an analysis its function tags.
    pub(super) fn choose(&self, words: &mut [WordAnalysis], options: &[Options], vocabulary: &Vocabulary) {
        let is_nominal = |word: &WordAnalysis| {
            let top = vocabulary.facts(word.spine).contents.last();
            top.is_some_and(|top| NOMINAL.contains(&&*top.category))
        };
        for (word, options) in words.iter_mut().zip(options) {
            let is_subject =
                options.margin > 0.0 && self.may_have_subject(word.attachment) && is_nominal(word);
            word.function = if is_subject { options.subject } else { options.other };
        }
        for head in 0..words.len() {
            for clause in clauses(vocabulary.facts(words[head].spine)) {
                let hangs = |&word: &usize| {
                    words[word].head as usize == head + 1 && Some(words[word].attachment) == clause.attachment
                };
                let children: Vec<usize> = (0..words.len()).filter(hangs).collect();
                let is_told = |word: usize| options[word].margin > 0.0 && !clause.has_null_subject;
                let is_needed =
                    |word: usize| clause.needs_subject() && word < head && options[word].margin > LEAST;
                let could_be = children
                    .iter()
                    .copied()
                    .filter(|&word| is_nominal(&words[word]) && (is_told(word) || is_needed(word)));
                // One that is told is surer than any that is not.
                let subject = could_be.max_by(|&a, &b| options[a].margin.total_cmp(&options[b].margin));
                for child in children {
                    let options = options[child];
                    words[child].function =
                        if Some(child) == subject { options.subject } else { options.other };
                }
            }
        }
    }

    fn of_row(&self, row: &[f32]) -> Options {
        let best = |wanted: bool| {
            let all = (0..row.len()).filter(|&function| self.is_subject[function] == wanted);
            all.fold(None, |best: Option<usize>, next| match best {
                Some(best) if row[best] >= row[next] => Some(best),
                _ => Some(next),
            })
        };
        let id = |function: usize| FunctionId(function as u16);
        match (best(true), best(false)) {
            (Some(subject), Some(other)) => {
                Options { subject: id(subject), other: id(other), margin: row[subject] - row[other] }
            }
            (subject, other) => {
                let only = id(subject.or(other).unwrap_or_default());
                Options { subject: only, other: only, margin: f32::NEG_INFINITY }
            }
        }
    }
}

/// A clause of a spine.
struct Clause {
    /// The attachment of what hangs there; none if nothing can.
    attachment: Option<AttachmentId>,
    is_declarative: bool,
    has_verb_phrase: bool,
    has_null_subject: bool,
}

impl Clause {
    fn needs_subject(&self) -> bool {
        self.is_declarative && self.has_verb_phrase && !self.has_null_subject
    }
}

fn clauses(spine: &SpineFacts) -> impl Iterator<Item = Clause> {
    let mut below = "";
    spine.contents.iter().zip(&spine.phrases).filter_map(move |(phrase, &attachment)| {
        let has_verb_phrase = std::mem::replace(&mut below, &phrase.category) == "VP";
        let has_null_phrase = || phrase.nulls.iter().any(|null| null.as_deref() == Some("NP"));
        CLAUSES.contains(&below).then(|| Clause {
            attachment,
            is_declarative: below == "S",
            has_verb_phrase,
            has_null_subject: has_verb_phrase && has_null_phrase(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::Grid;
    use crate::vocabulary::{Names, SpineId, TagId};

    const SCORES: [[f32; 3]; 3] = [[-1.0, -0.5, -9.0], [-2.0, -0.1, -9.0], [-0.1, -9.0, -9.0]];

    /// The function tags of `a b verb`, where the verb has this spine and both others hang in its clause.
    fn chosen(spine: &str, rows: [[f32; 3]; 3]) -> Vec<&'static str> {
        chosen_of("NP", spine, rows)
    }

    fn chosen_of(child: &str, spine: &str, rows: [[f32; 3]; 3]) -> Vec<&'static str> {
        const FUNCTIONS: [&str; 3] = ["", "-SBJ", "-TMP"];
        let names = Names {
            spines: vec![spine.into(), child.into()],
            attachments: vec!["VP#0".into(), "S#0".into(), "SQ#0".into(), "FRAG#0".into()],
            functions: FUNCTIONS.map(str::to_owned).into(),
            ..Names::default()
        };
        let vocabulary = Vocabulary::new(names).unwrap();
        let clause = vocabulary.facts(SpineId(0)).phrases.iter().flatten().last().copied().unwrap();
        let word = |spine, head, attachment| WordAnalysis {
            tag: TagId(0),
            spine: SpineId(spine),
            function: FunctionId(0),
            head,
            attachment,
        };
        let mut words = [word(1, 3, clause), word(1, 3, clause), word(0, 0, AttachmentId(0))];
        let functions = Grid::from_values(3, rows.concat());
        let scores = SentenceScores { functions, traces: vec![None; 3], ..SentenceScores::default() };
        let choice = Functions::new(&vocabulary);
        choice.choose(&mut words, &choice.options(&scores), &vocabulary);
        words.iter().map(|word| FUNCTIONS[word.function.index()]).collect()
    }

    #[test]
    fn of_two_subjects_the_surest_stays() {
        assert_eq!(chosen("VP S", SCORES), ["", "-SBJ", ""]);
        assert_eq!(chosen("VP SQ", SCORES), ["", "-SBJ", ""]);
        assert_eq!(chosen("VP NP", SCORES), ["", "", ""], "no clause has a subject");
        assert_eq!(chosen("VP FRAG", SCORES), ["-SBJ", "-SBJ", ""], "a fragment may have several");
        assert_eq!(chosen_of("ADVP", "VP S", SCORES), ["", "", ""], "no adverb is a subject");
    }

    #[test]
    fn a_null_subject_is_the_only_one() {
        assert_eq!(chosen("VP S(NP(*))", SCORES), ["", "", ""]);
    }

    #[test]
    fn a_clause_with_a_verb_phrase_takes_the_likeliest_subject() {
        let none = [[-0.1, -3.0, -9.0], [-2.0, -4.0, -0.2], SCORES[2]];
        assert_eq!(chosen("VP S", none), ["-SBJ", "-TMP", ""]);
        assert_eq!(chosen_of("PP", "VP S", none), ["", "-TMP", ""]);
        assert_eq!(chosen("VP S(NP(*))", none), ["", "-TMP", ""]);
        assert_eq!(chosen("VP SQ", none), ["", "-TMP", ""]);
        let far = [[-0.1, -9.0, -9.0], [-9.0, -9.0, -0.2], SCORES[2]];
        assert_eq!(chosen("VP S", far), ["", "-TMP", ""]);
    }
}
