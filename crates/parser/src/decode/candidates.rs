//! Candidate spines of each word, with their scores and their traces.

use tracebank_syntax::class::Structure;

use super::{Pruning, Settings, Shares};
use crate::scores::{SentenceScores, log_sum, maximum};
use crate::vocabulary::{Referrer, SpineId, Trace, TraceId, Vocabulary};

/// A trace that could be made, and its score.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Choice {
    pub(super) trace: Trace,
    pub(super) score: f32,
}

/// A node of a spine that may refer.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Referral {
    /// The traces that may start here, best first.
    pub(super) choices: Vec<Choice>,
    /// The score of having no antecedent.
    pub(super) silent: f32,
    /// Whether traces that could be made were left out.
    pub(super) is_cut: bool,
}

impl Referral {
    pub(super) fn best(&self) -> f32 {
        self.choices.first().map_or(self.silent, |choice| choice.score.max(self.silent))
    }

    /// The logarithm of the sum over all antecedents, and none, at a temperature.
    pub(super) fn total(&self, temperature: f32) -> f32 {
        let scores = self.choices.iter().map(|choice| choice.score).chain([self.silent]);
        temperature * log_sum(scores.map(|score| score / temperature))
    }
}

/// A spine of a word.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Candidate {
    pub(super) spine: SpineId,
    /// The score of the spine itself.
    pub(super) score: f32,
    pub(super) referrals: Vec<Referral>,
}

impl Candidate {
    /// The score with all its traces at their best.
    pub(super) fn best(&self) -> f32 {
        self.score + self.referrals.iter().map(Referral::best).sum::<f32>()
    }

    /// The score with the sums over all its traces.
    pub(super) fn total(&self, temperature: f32) -> f32 {
        self.score + self.referrals.iter().map(|referral| referral.total(temperature)).sum::<f32>()
    }
}

/// The spines of each word.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Candidates {
    pub(super) of_words: Vec<Vec<Candidate>>,
    /// Whether all spines are there that the settings ask for.
    pub(super) are_complete: bool,
    /// The share of all that there is to choose from.
    pub(super) scope: CandidateScope,
}

/// The candidates that an answer was chosen from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CandidateScope {
    /// Every spine, head and trace that the model knows of.
    Complete,
    /// Those within the margins of the [`Pruning`]: something that was left out could be in a better answer.
    Pruned,
}

impl CandidateScope {
    /// The name in JSON and CoNLL-U.
    pub fn name(self) -> &'static str {
        match self {
            CandidateScope::Complete => "complete",
            CandidateScope::Pruned => "pruned",
        }
    }
}

impl Candidates {
    pub(super) fn choose(
        scores: &SentenceScores,
        vocabulary: &Vocabulary,
        settings: &Settings,
        structure: Structure,
    ) -> Candidates {
        let mut spines: Vec<Vec<SpineId>> =
            (0..scores.words()).map(|word| likely(scores.spines.row(word), &settings.pruning)).collect();
        let are_complete = afford(&mut spines, scores, vocabulary, &settings.pruning);
        let of_words = Candidates::of_spines(scores, vocabulary, settings, structure, &spines);
        let scope = if has_all(scores, vocabulary, &of_words) {
            CandidateScope::Complete
        } else {
            CandidateScope::Pruned
        };
        Candidates { of_words, are_complete, scope }
    }

    /// The candidates that have these spines.
    pub(super) fn of_spines(
        scores: &SentenceScores,
        vocabulary: &Vocabulary,
        settings: &Settings,
        structure: Structure,
        spines: &[Vec<SpineId>],
    ) -> Vec<Vec<Candidate>> {
        let options = Options::new(scores, vocabulary, settings, spines);
        let candidate = |word: usize, spine: SpineId| {
            let referrers = vocabulary.facts(spine).referrers.iter().filter(|_| structure.has_traces());
            Candidate {
                spine,
                score: settings.spine * scores.spine(word, spine),
                referrals: referrers.map(|referrer| options.referral(word, referrer)).collect(),
            }
        };
        let of_word = |(word, spines): (usize, &Vec<SpineId>)| {
            spines.iter().map(|&spine| candidate(word, spine)).collect()
        };
        spines.iter().enumerate().map(of_word).collect()
    }
}

/// The choices of the nulls of a sentence.
struct Options<'a> {
    scores: &'a SentenceScores,
    settings: &'a Settings,
    /// For each label of a trace, whether it is [awaited](Vocabulary::is_awaited).
    awaited: Vec<bool>,
    /// For each word that may refer, the most that a trace to each other word can score.
    most: Vec<Vec<f32>>,
    /// For each word, the labels of traces that one of its spines serves.
    served: Vec<Vec<bool>>,
}

impl<'a> Options<'a> {
    fn new(
        scores: &'a SentenceScores,
        vocabulary: &Vocabulary,
        settings: &'a Settings,
        spines: &[Vec<SpineId>],
    ) -> Options<'a> {
        let labels = vocabulary.names().traces.len();
        let served = |spines: &Vec<SpineId>| {
            let mut served = vec![false; labels];
            for &spine in spines {
                served.iter_mut().zip(&vocabulary.facts(spine).serves).for_each(|(all, one)| *all |= one);
            }
            served
        };
        let most = |word: usize, antecedent: usize| {
            let best = maximum(scores.trace_row(word, antecedent)?);
            Some(settings.trace_score(best, false).max(settings.trace_score(best, true)))
        };
        let of_word = |word| (0..scores.words()).map_while(|antecedent| most(word, antecedent)).collect();
        Options {
            scores,
            settings,
            awaited: (0..labels).map(|label| vocabulary.is_awaited(TraceId(label as u16))).collect(),
            most: (0..scores.words()).map(of_word).collect(),
            served: spines.iter().map(served).collect(),
        }
    }

    /// The traces that may start at a null of a word.
    fn referral(&self, word: usize, referrer: &Referrer) -> Referral {
        let silent = if referrer.is_obliged { -self.settings.unmet_penalty } else { 0.0 };
        let floor = silent - self.settings.pruning.trace_margin;
        let mut choices = Vec::new();
        let mut is_cut = false;
        for (antecedent, served) in self.served.iter().enumerate().filter(|&(other, _)| other != word) {
            // That one more could be made says nothing new.
            if is_cut && self.most[word].get(antecedent).is_none_or(|&most| most <= floor) {
                continue;
            }
            // A spine that none of a word's candidates serves cannot be referred to.
            for &label in referrer.labels.iter().filter(|label| served[label.index()]) {
                let score = self.scores.trace(word, antecedent, label);
                let score = self.settings.trace_score(score, self.awaited[label.index()]);
                if score > floor {
                    let trace = Trace { referrer: word as u32 + 1, antecedent: antecedent as u32 + 1, label };
                    choices.push(Choice { trace, score });
                } else {
                    is_cut = true;
                }
            }
        }
        choices.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.trace.cmp(&b.trace)));
        Referral { choices, silent, is_cut }
    }
}

/// Whether nothing was left out, by the decoder or by the scorer: no spine, no head and no trace.
fn has_all(scores: &SentenceScores, vocabulary: &Vocabulary, of_words: &[Vec<Candidate>]) -> bool {
    of_words.iter().enumerate().all(|(word, candidates)| {
        let heads = scores.heads.row(word).iter().enumerate();
        let others = || candidates.iter().flat_map(|candidate| &candidate.referrals);
        candidates.len() == vocabulary.names().spines.len()
            && heads.filter(|&(head, _)| head != word + 1).all(|(_, score)| score.is_finite())
            && others().all(|referral| !referral.is_cut)
    })
}

/// Takes away the spines that are farthest behind the best of their word, until the budgets of work and memory hold the others or each word
/// has one spine. Says whether none had to go.
fn afford(
    spines: &mut [Vec<SpineId>],
    scores: &SentenceScores,
    vocabulary: &Vocabulary,
    pruning: &Pruning,
) -> bool {
    let sites = |spine: SpineId| vocabulary.facts(spine).phrases.len().max(1);
    let (words, shares) = (spines.len(), Shares::of(pruning));
    let mut nodes: usize = spines.iter().map(Vec::len).sum();
    let mut slots: usize = spines.iter().flatten().map(|&spine| sites(spine)).sum();
    let mut others: Vec<(f32, usize)> = Vec::new();
    for (word, of_word) in spines.iter().enumerate() {
        let behind = |&spine: &SpineId| scores.spine(word, of_word[0]) - scores.spine(word, spine);
        others.extend(of_word[1..].iter().map(|spine| (behind(spine), word)));
    }
    others.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let is_much = |nodes: usize, slots: usize| {
        (nodes as f64).powi(3) > pruning.relaxed_work || !shares.hold_tables(words, nodes, slots)
    };
    let are_complete = !is_much(nodes, slots);
    while is_much(nodes, slots)
        && let Some((_, word)) = others.pop()
    {
        slots -= spines[word].pop().map_or(0, sites);
        nodes -= 1;
    }
    are_complete
}

/// The spines of a row of scores that are looked at, best first.
pub fn likely(row: &[f32], pruning: &Pruning) -> Vec<SpineId> {
    let best = maximum(row);
    let mut likely: Vec<usize> =
        (0..row.len()).filter(|&id| row[id] >= best - pruning.spine_margin).collect();
    likely.sort_by(|&a, &b| row[b].total_cmp(&row[a]).then(a.cmp(&b)));
    likely.truncate(pruning.spines.max(1));
    likely.into_iter().map(|id| SpineId(id as u16)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::Grid;
    use crate::vocabulary::Names;

    /// Margins that leave nothing out.
    fn wide() -> Pruning {
        Pruning { spine_margin: 50.0, trace_margin: 50.0, ..Pruning::default() }
    }

    /// Two words with three spines each. Those of the second are best from behind.
    fn sample() -> (SentenceScores, Vocabulary) {
        let list = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let names = Names {
            spines: list(&["NP", "VP", "VP S(NP(*))"]),
            traces: list(&["(NP *)#0 > NP#0"]),
            ..Names::default()
        };
        let mut heads = Grid::new(2, 3, 0.0);
        (heads.row_mut(0)[1], heads.row_mut(1)[2]) = (f32::NEG_INFINITY, f32::NEG_INFINITY);
        let scores = SentenceScores {
            spines: Grid::from_values(3, vec![0.0, -1.0, -2.0, 2.0, 4.5, 5.0]),
            heads,
            traces: vec![Some(Grid::new(2, 1, 0.0)); 2],
            ..SentenceScores::default()
        };
        (scores, Vocabulary::new(names).unwrap())
    }

    fn choose(scores: &SentenceScores, vocabulary: &Vocabulary, pruning: Pruning) -> Candidates {
        let settings = Settings { pruning, ..Settings::default() };
        Candidates::choose(scores, vocabulary, &settings, Structure::OneEndpointCrossing)
    }

    #[test]
    fn candidates_are_complete_until_a_spine_a_head_or_a_trace_is_left_out() {
        let (scores, vocabulary) = sample();
        let scope = |scores, pruning| choose(scores, &vocabulary, pruning).scope.name();
        assert_eq!(scope(&scores, wide()), "complete");
        assert_eq!(scope(&scores, Pruning { spines: 2, ..wide() }), "pruned");
        let mut headless = scores.clone();
        headless.heads.row_mut(1)[0] = f32::NEG_INFINITY;
        assert_eq!(scope(&headless, wide()), "pruned");
        let mut cut = scores.clone();
        cut.traces[1] = None;
        assert_eq!(scope(&cut, wide()), "pruned");
    }

    #[test]
    fn a_trace_goes_only_to_a_word_with_a_spine_for_it() {
        let (mut scores, vocabulary) = sample();
        let antecedents = |scores: &SentenceScores| -> Vec<u32> {
            let candidates = choose(scores, &vocabulary, wide()).of_words;
            let referrals = candidates[1].iter().flat_map(|candidate| &candidate.referrals);
            referrals.flat_map(|referral| &referral.choices).map(|choice| choice.trace.antecedent).collect()
        };
        assert_eq!(antecedents(&scores), [1]);
        scores.spines.row_mut(0)[0] = -100.0;
        assert!(antecedents(&scores).is_empty());
    }

    #[test]
    fn a_trace_that_its_bonus_lifts_over_the_margin_is_found_behind_one_that_is_cut() {
        let list = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let names = Names {
            spines: list(&["WHNP", "VP S(NP(*T*))"]),
            traces: list(&["(NP *T*)#0 > WHNP#0"]),
            ..Names::default()
        };
        let no = f32::NEG_INFINITY;
        let scores = SentenceScores {
            spines: Grid::from_values(2, vec![0.0, no, no, 0.0, 0.0, no]),
            heads: Grid::new(3, 4, 0.0),
            traces: vec![None, Some(Grid::from_values(1, vec![-20.0, no, -5.0])), None],
            ..SentenceScores::default()
        };
        let settings = Settings {
            trace: 1.0,
            awaited_bonus: 4.0,
            pruning: Pruning { trace_margin: 3.0, ..wide() },
            ..Settings::default()
        };
        let vocabulary = Vocabulary::new(names).unwrap();
        let found = Candidates::choose(&scores, &vocabulary, &settings, Structure::OneEndpointCrossing);
        let referral = &found.of_words[1][0].referrals[0];
        let antecedents: Vec<u32> = referral.choices.iter().map(|choice| choice.trace.antecedent).collect();
        assert_eq!((antecedents, referral.is_cut), (vec![3], true));
    }

    #[test]
    fn the_spines_farthest_behind_go_until_the_budgets_hold_the_others() {
        let (scores, vocabulary) = sample();
        let spines = |pruning: Pruning| {
            let candidates = choose(&scores, &vocabulary, pruning);
            let of_word = |word: &Vec<Candidate>| word.iter().map(|candidate| candidate.spine.0).collect();
            (candidates.are_complete, candidates.of_words.iter().map(of_word).collect::<Vec<Vec<u16>>>())
        };
        let work = |relaxed_work: f64| spines(Pruning { relaxed_work, ..wide() });
        // Six candidates cost 216, five 125, four 64.
        assert_eq!(work(216.0), (true, vec![vec![0, 1, 2], vec![2, 1, 0]]));
        assert_eq!(work(215.0), (false, vec![vec![0, 1, 2], vec![2, 1]]));
        assert_eq!(work(124.0), (false, vec![vec![0, 1], vec![2, 1]]));
        assert_eq!(work(0.0), (false, vec![vec![0], vec![2]]));
        // Three eighths are for tables: 24 bytes for each pair of words, 28 for each of six candidates and eight phrases.
        let memory = |bytes: usize| spines(Pruning { bytes, ..wide() });
        assert_eq!(memory((96 + 48 * 28) / 3 * 8), (true, vec![vec![0, 1, 2], vec![2, 1, 0]]));
        let one_less = (false, vec![vec![0, 1, 2], vec![2, 1]]);
        assert_eq!(memory((96 + 48 * 28) / 3 * 8 - 8), one_less);
        assert_eq!(memory((96 + 36 * 28) / 3 * 8), one_less);
    }
}
