//! Settings of the decoder: the weights of its objective, and its pruning.

use serde::{Deserialize, Serialize};

/// The weights of the decoder's objective, and its [`Pruning`].
///
/// Weights and the two margins of spines are tuned on dev sets and stored in the model. Everything else of the pruning belongs to the program
/// that decodes, and no model file can change it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(from = "Tuned", into = "Tuned")]
pub struct Settings {
    /// The weight of spine scores.
    pub spine: f32,
    /// The weight of attachment scores, beside a weight of 1 for the structural edge itself.
    pub attachment: f32,
    /// The weight of trace scores.
    pub trace: f32,
    /// The bonus of every trace edge.
    pub trace_bonus: f32,
    /// The bonus of a trace of movement of a wh-phrase: without one, such a phrase waits for something that does not come.
    pub awaited_bonus: f32,
    /// The penalty of a null that must have an antecedent and has none.
    pub unmet_penalty: f32,
    /// The penalty of two traces of movement (`*T*`) that stand for the same phrase: it was moved from one place, as a rule.
    pub shared_penalty: f32,
    /// The weight of the [valency](crate::valency) table.
    pub valency: f32,
    /// The penalty of every structure that no treebank's guidelines allow, as a clause without a subject.
    pub violation_penalty: f32,
    /// Whether the root has exactly one child, as in nearly all treebanks.
    pub single_root: bool,
    /// The temperature of probabilities: scores are divided by it before they are taken as logarithms. Above 1, a model is less sure than its
    /// scores say.
    pub temperature: f32,
    /// The candidates and the work that are left out.
    pub pruning: Pruning,
}

/// Everything that decoding leaves out: candidates that fall short of a margin, and work beyond a budget.
///
/// Margins are in logarithms, budgets in work and not in time, so that a slow machine gives the same answer. An answer for which a budget was
/// not enough is marked as approximate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pruning {
    /// The most spines of a word that are candidates.
    pub spines: usize,
    /// The margin of a candidate spine below the best of its word.
    pub spine_margin: f32,
    /// The margin of a head below the best of its word, beyond which a scorer leaves its attachments unscored.
    pub head_margin: f32,
    /// The margin of a spine with a null below the best of its word, beyond which a scorer leaves the word's traces unscored.
    pub referrer_margin: f32,
    /// The margin of a trace below its null's having no antecedent.
    pub trace_margin: f32,
    /// The budget of the projective parse: the third power of the candidates of all words. Beyond it words keep fewer spines.
    pub relaxed_work: f64,
    /// The budget of the search for traces that are in the class: the sets of traces that are tried for a sentence, over all its trees.
    pub trace_sets: usize,
    /// The budget of projective trees that are looked at, best first, before the chart is asked.
    pub trees: usize,
    /// The budgets of the chart's graphs that are looked at, best first; the chart is filled once for each.
    pub graphs: [usize; 2],
    /// The budget of choices of attachment sites that are looked at for one graph of the chart, best first.
    pub graph_sites: usize,
    /// The budget of the chart: the fourth power of its nodes.
    pub chart_work: f64,
    /// The budget of a sentence in bytes of memory, over scoring and decoding: see [`Shares`](super::Shares).
    pub bytes: usize,
    /// The budget of pairs of words that are scored for their attachments, and of those that are scored for their traces. Beyond it a word
    /// keeps fewer heads, and nulls see less far.
    pub pairs: usize,
    /// The floors below which the chart's parts are left out, each tried where the one before leaves too much: shares of the way from the
    /// score of the known answer (0, which loses nothing) to the bound (1).
    pub chart_floors: [f32; 4],
}

impl Default for Pruning {
    fn default() -> Pruning {
        Pruning {
            spines: 4,
            spine_margin: 4.0,
            head_margin: 9.0,
            referrer_margin: 6.0,
            trace_margin: 12.0,
            relaxed_work: 1e8,
            trace_sets: 20_000,
            trees: 200,
            graphs: [1, 64],
            graph_sites: 64,
            chart_work: 1e8,
            bytes: 2 << 30,
            pairs: 1 << 20,
            chart_floors: [0.0, 0.3, 0.6, 0.9],
        }
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            spine: 1.0,
            attachment: 1.0,
            trace: 0.5,
            trace_bonus: 0.0,
            awaited_bonus: 0.0,
            unmet_penalty: 4.0,
            shared_penalty: 3.0,
            valency: 0.0,
            violation_penalty: 2.0,
            single_root: true,
            temperature: 1.0,
            pruning: Pruning::default(),
        }
    }
}

impl Settings {
    /// These settings with all scores counting once, as an objective that is learnt by sees them.
    #[must_use]
    pub fn unweighted(self) -> Settings {
        Settings {
            spine: 1.0,
            attachment: 1.0,
            trace: 1.0,
            trace_bonus: 0.0,
            awaited_bonus: 0.0,
            valency: 0.0,
            violation_penalty: 0.0,
            temperature: 1.0,
            ..self
        }
    }

    /// The weighted score of a trace edge.
    pub fn trace_score(&self, score: f32, is_awaited: bool) -> f32 {
        self.trace * score + self.trace_bonus + if is_awaited { self.awaited_bonus } else { 0.0 }
    }
}

/// The tuned part of the settings: the form of the model's section, and of a recipe's table.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Tuned {
    spine: f32,
    attachment: f32,
    trace: f32,
    trace_bonus: f32,
    #[serde(alias = "awaited")]
    awaited_bonus: f32,
    #[serde(alias = "unmet")]
    unmet_penalty: f32,
    #[serde(alias = "shared")]
    shared_penalty: f32,
    valency: f32,
    violation_penalty: f32,
    single_root: bool,
    temperature: f32,
    spines: usize,
    spine_margin: f32,
    /// Settings that older models carry and nothing reads any more.
    #[serde(skip_serializing, alias = "empty_penalty")]
    empty: f32,
    #[serde(skip_serializing)]
    relaxed_work: f64,
    #[serde(skip_serializing)]
    chart_bytes: usize,
    #[serde(skip_serializing)]
    chart_work: f64,
}

impl Default for Tuned {
    fn default() -> Tuned {
        Settings::default().into()
    }
}

impl From<Tuned> for Settings {
    fn from(tuned: Tuned) -> Settings {
        Settings {
            spine: tuned.spine,
            attachment: tuned.attachment,
            trace: tuned.trace,
            trace_bonus: tuned.trace_bonus,
            awaited_bonus: tuned.awaited_bonus,
            unmet_penalty: tuned.unmet_penalty,
            shared_penalty: tuned.shared_penalty,
            valency: tuned.valency,
            violation_penalty: tuned.violation_penalty,
            single_root: tuned.single_root,
            temperature: tuned.temperature,
            pruning: Pruning { spines: tuned.spines, spine_margin: tuned.spine_margin, ..Pruning::default() },
        }
    }
}

impl From<Settings> for Tuned {
    fn from(settings: Settings) -> Tuned {
        Tuned {
            spine: settings.spine,
            attachment: settings.attachment,
            trace: settings.trace,
            trace_bonus: settings.trace_bonus,
            awaited_bonus: settings.awaited_bonus,
            unmet_penalty: settings.unmet_penalty,
            shared_penalty: settings.shared_penalty,
            valency: settings.valency,
            violation_penalty: settings.violation_penalty,
            single_root: settings.single_root,
            temperature: settings.temperature,
            empty: 0.0,
            spines: settings.pruning.spines,
            spine_margin: settings.pruning.spine_margin,
            relaxed_work: settings.pruning.relaxed_work,
            chart_bytes: settings.pruning.bytes,
            chart_work: settings.pruning.chart_work,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_tuned_is_stored_and_nothing_stored_changes_a_budget() {
        let wide = Pruning { spines: 7, relaxed_work: 1.0, ..Pruning::default() };
        let text =
            serde_json::to_string(&Settings { trace: 0.25, pruning: wide, ..Settings::default() }).unwrap();
        assert!(!text.contains("work") && !text.contains("bytes"), "{text}");
        let old = text.replace('}', ",\"chart_work\":1e30,\"chart_bytes\":9,\"relaxed_work\":1e30}");
        let old = old.replace("unmet_penalty", "unmet");
        for text in [&text, &old] {
            let read: Settings = serde_json::from_str(text).unwrap();
            assert_eq!((read.trace, read.pruning), (0.25, Pruning { spines: 7, ..Pruning::default() }));
        }
        assert!(serde_json::from_str::<Settings>("{\"spinez\": 3}").is_err());
    }

    #[test]
    fn a_trace_has_its_weight_and_a_bonus_and_one_more_if_it_is_awaited() {
        let settings = Settings { trace: 0.5, trace_bonus: 0.25, awaited_bonus: 4.0, ..Settings::default() };
        assert!((settings.trace_score(3.0, false) - 1.75).abs() < 1e-6);
        assert!((settings.trace_score(3.0, true) - 5.75).abs() < 1e-6);
    }

    #[test]
    fn without_weights_all_scores_count_once_and_the_rest_stays() {
        let tuned = Settings {
            spine: 0.5,
            attachment: 0.5,
            trace: 0.5,
            trace_bonus: 0.5,
            awaited_bonus: 0.5,
            unmet_penalty: 0.5,
            shared_penalty: 0.5,
            valency: 0.5,
            violation_penalty: 0.5,
            single_root: false,
            temperature: 0.5,
            pruning: Pruning { spines: 7, ..Pruning::default() },
        };
        let expected = Settings {
            unmet_penalty: 0.5,
            shared_penalty: 0.5,
            violation_penalty: 0.0,
            single_root: false,
            pruning: tuned.pruning,
            trace: 1.0,
            ..Settings::default()
        };
        assert_eq!(tuned.unweighted(), expected);
    }

    #[test]
    fn the_default_budgets_hold_a_long_sentence() {
        let pruning = Pruning::default();
        // A hundred words, all pairs of them, two hundred labels.
        assert_eq!((pruning.most_heads(100, 10_000, 200), pruning.reach(100, 100, 200)), (None, 100));
        assert!(crate::decode::Shares::of(&pruning).hold_words(100));
    }
}
