//! Which spines of each word are looked at, and what each is worth with its references.

use tracebank_syntax::class::Structure;

use super::Settings;
use crate::scores::SentenceScores;
use crate::vocabulary::{SpineId, Trace, TraceId, Vocabulary};

/// A reference that could be made, and what it is worth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Choice {
    pub(super) trace: Trace,
    pub(super) score: f32,
}

/// A node of a spine that may refer.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Referral {
    /// What it may refer to, best first.
    pub(super) choices: Vec<Choice>,
    /// What it is worth when it refers to nothing.
    pub(super) silent: f32,
}

impl Referral {
    pub(super) fn best(&self) -> f32 {
        self.choices.first().map_or(self.silent, |choice| choice.score.max(self.silent))
    }
}

/// A spine of a word.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Candidate {
    pub(super) spine: SpineId,
    /// What the spine itself is worth.
    pub(super) score: f32,
    pub(super) referrals: Vec<Referral>,
}

impl Candidate {
    /// What it is worth with all its references at their best.
    pub(super) fn best(&self) -> f32 {
        self.score + self.referrals.iter().map(Referral::best).sum::<f32>()
    }
}

/// The spines of each word.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Candidates {
    pub(super) of_words: Vec<Vec<Candidate>>,
    /// Whether all spines are there that the settings ask for.
    pub(super) are_complete: bool,
}

/// A reference worth less than this much below the silence of its referrer is not looked at.
const CHOICE_MARGIN: f32 = 12.0;

impl Candidates {
    pub(super) fn choose(
        scores: &SentenceScores,
        vocabulary: &Vocabulary,
        settings: &Settings,
        structure: Structure,
    ) -> Candidates {
        let mut spines: Vec<Vec<SpineId>> =
            (0..scores.words()).map(|word| likely(scores.spines.row(word), settings)).collect();
        let are_complete = afford(&mut spines, scores, settings.relaxed_work);
        // A spine that none of the word's candidates serves cannot be referred to.
        let served = |antecedent: usize, label: TraceId| {
            spines[antecedent].iter().any(|&spine| vocabulary.facts(spine).serves[label.index()])
        };
        let labels = (0..vocabulary.names().traces.len()).map(|id| TraceId(id as u16));
        let awaited: Vec<bool> = labels.map(|label| vocabulary.is_awaited(label)).collect();
        let candidate = |word: usize, spine: SpineId| Candidate {
            spine,
            score: settings.spine * scores.spine(word, spine),
            referrals: vocabulary
                .facts(spine)
                .referrers
                .iter()
                .filter(|_| structure.has_traces())
                .map(|referrer| {
                    let silent = if referrer.is_obliged { -settings.unmet_penalty } else { 0.0 };
                    let mut choices = Vec::new();
                    for antecedent in (0..scores.words()).filter(|&other| other != word) {
                        for &label in &referrer.labels {
                            let score = scores.trace(word, antecedent, label);
                            let score = settings.trace_score(score, awaited[label.index()]);
                            if score > silent - CHOICE_MARGIN && served(antecedent, label) {
                                let trace = Trace {
                                    referrer: word as u32 + 1,
                                    antecedent: antecedent as u32 + 1,
                                    label,
                                };
                                choices.push(Choice { trace, score });
                            }
                        }
                    }
                    choices.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.trace.cmp(&b.trace)));
                    Referral { choices, silent }
                })
                .collect(),
        };
        let of_word = |(word, spines): (usize, &Vec<SpineId>)| {
            spines.iter().map(|&spine| candidate(word, spine)).collect()
        };
        Candidates { of_words: spines.iter().enumerate().map(of_word).collect(), are_complete }
    }

    /// What step 1 costs with them.
    pub(super) fn work(&self) -> f64 {
        work(self.of_words.iter().map(Vec::len).sum())
    }

    /// The same with one reference worth less by `cost`, whatever the spine it starts from.
    pub(super) fn lowered(mut self, trace: Trace, cost: f32) -> Candidates {
        let referrals = self.of_words[trace.referrer as usize - 1]
            .iter_mut()
            .flat_map(|candidate| &mut candidate.referrals);
        for referral in referrals {
            for choice in referral.choices.iter_mut().filter(|choice| choice.trace == trace) {
                choice.score -= cost;
            }
            referral.choices.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.trace.cmp(&b.trace)));
        }
        self
    }
}

fn work(spines: usize) -> f64 {
    (spines as f64).powi(3)
}

/// Takes away the spines that are farthest behind the best of their word, until the work for the others is no more than `most` or
/// each word has one spine. Says whether none had to go.
fn afford(spines: &mut [Vec<SpineId>], scores: &SentenceScores, most: f64) -> bool {
    let mut total: usize = spines.iter().map(Vec::len).sum();
    let mut others: Vec<(f32, usize)> = Vec::new();
    for (word, of_word) in spines.iter().enumerate() {
        let behind = |&spine: &SpineId| scores.spine(word, of_word[0]) - scores.spine(word, spine);
        others.extend(of_word[1..].iter().map(|spine| (behind(spine), word)));
    }
    others.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let are_complete = work(total) <= most;
    while work(total) > most
        && let Some((_, word)) = others.pop()
    {
        spines[word].pop();
        total -= 1;
    }
    are_complete
}

/// The spines of a row of scores that are looked at, best first.
pub fn likely(row: &[f32], settings: &Settings) -> Vec<SpineId> {
    let best = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut likely: Vec<usize> =
        (0..row.len()).filter(|&id| row[id] >= best - settings.spine_margin).collect();
    likely.sort_by(|&a, &b| row[b].total_cmp(&row[a]).then(a.cmp(&b)));
    likely.truncate(settings.spines.max(1));
    likely.into_iter().map(|id| SpineId(id as u16)).collect()
}
