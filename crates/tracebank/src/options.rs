//! Options of a parser.

use tracebank_parser::decode::Settings;
use tracebank_syntax::class::Structure;

/// Options of a parser. Limits protect: a sentence beyond one gets a flat tree or an approximate parse, and is marked.
///
/// ```
/// let brief = tracebank::Options { functions: false, max_words: 100, ..tracebank::Options::default() };
/// assert!(brief.traces);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// The class of structures that the best is searched in.
    pub structure: Structure,
    /// The [dialect](crate::DIALECTS) of the trees, or a dialect of the model by name. `None` is Penn if the model can give it.
    pub dialect: Option<String>,
    /// Whether trees have null elements and indices.
    pub traces: bool,
    /// Whether labels have function tags.
    pub functions: bool,
    /// Sentences with more words get a flat tree.
    pub max_words: usize,
    /// The most candidate spines of a word; those that the model was tuned for, unless given.
    pub spines: Option<usize>,
    /// The margin, in logarithms, of the candidate spines, heads and traces of a word below its best; those that the model was tuned for, unless
    /// given.
    pub margin: Option<f32>,
    /// The number of [alternatives](crate::Parse::alternatives) wanted.
    pub alternatives: usize,
    /// Whether [probabilities](crate::Parse::probabilities) are wanted. They take about as long as the parse.
    pub probabilities: bool,
    /// The least probability of a null, and of its antecedent, for it to be in the answer.
    pub min_probability: f32,
    /// The budget of scoring pairs of words, and that of decoding, in seconds of a usual machine for one sentence. The limit is on the *work*,
    /// not on the clock, so that a slow machine gives the same answer. Encoding, which takes as long for each word, is not in it.
    pub seconds: Option<f64>,
    /// The bytes of memory that scoring and decoding one sentence may take, beside those that its words take one by one.
    pub bytes: Option<usize>,
}

/// Rounds of the chart's innermost loop that a usual machine does in a second; `benches/records/` has the measurements.
const WORK_PER_SECOND: f64 = 4.5e7;

/// The work of the projective parse that a usual machine does in a second: the third power of its candidates.
const RELAXED_WORK_PER_SECOND: f64 = 2e8;

/// The pairs of words whose labels a usual machine scores in a second.
const PAIRS_PER_SECOND: f64 = 2e5;

impl Default for Options {
    fn default() -> Options {
        Options {
            structure: Structure::OneEndpointCrossing,
            dialect: None,
            traces: true,
            functions: true,
            max_words: 1000,
            spines: None,
            margin: None,
            alternatives: 0,
            probabilities: false,
            min_probability: 0.0,
            seconds: None,
            bytes: None,
        }
    }
}

impl Options {
    /// The settings a model was tuned for, within these limits.
    pub(crate) fn settings(&self, learnt: Settings) -> Settings {
        let mut settings = learnt;
        let pruning = &mut settings.pruning;
        pruning.spines = self.spines.map_or(pruning.spines, |spines| spines.max(1));
        if let Some(margin) = self.margin {
            (pruning.spine_margin, pruning.head_margin) = (margin, margin);
            (pruning.referrer_margin, pruning.trace_margin) = (margin, margin);
        }
        if let Some(seconds) = self.seconds {
            pruning.chart_work = seconds * WORK_PER_SECOND;
            pruning.relaxed_work = seconds * RELAXED_WORK_PER_SECOND;
            pruning.pairs = (seconds * PAIRS_PER_SECOND) as usize;
        }
        pruning.bytes = self.bytes.unwrap_or(pruning.bytes);
        settings
    }
}
