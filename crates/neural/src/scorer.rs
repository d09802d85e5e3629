//! The network as a [`Scorer`].
//!
//! Pairs of words are scored only where it can matter: attachments for heads that are not out of the question, references for words one of
//! whose likely spines has something that refers.

use tracebank_parser::inventory::{Inventory, SpineId};
use tracebank_parser::model::{ModelError, ModelFile};
use tracebank_parser::pipeline::{Scorer, Sentence};
use tracebank_parser::scores::{Grid, SentenceScores};

use crate::matrix::Matrix;
use crate::network::{Network, Words};
use crate::ops::{Widths, each};
use crate::prepare::{Input, Prepared};
use crate::tape::{Tape, Var};

/// A head that is this much worse than the best of its word, in logarithms, is out of the question.
const HEAD_MARGIN: f32 = 9.0;
/// A spine that is this much worse than the best of its word is not likely.
const SPINE_MARGIN: f32 = 6.0;

/// A network and what it needs to know about spines.
#[derive(Clone, Debug)]
pub struct NeuralScorer {
    network: Network,
    /// For each spine, whether something in it refers.
    refers: Vec<bool>,
}

impl NeuralScorer {
    /// Scores by `network`, whose labels are those of `inventory`, with big matrices as eight bits.
    pub fn new(mut network: Network, inventory: &Inventory) -> NeuralScorer {
        if !network.is_quantised() {
            network.quantise();
        }
        NeuralScorer::as_it_is(network, inventory)
    }

    /// The same, with the weights as the network has them.
    pub fn as_it_is(network: Network, inventory: &Inventory) -> NeuralScorer {
        let spines = (0..inventory.names().spines.len()).map(|id| SpineId(id as u16));
        let refers = spines.map(|id| !inventory.facts(id).referrers.is_empty()).collect();
        NeuralScorer { network, refers }
    }

    /// The network of a model file.
    pub fn read(file: &ModelFile<'_>, inventory: &Inventory) -> Result<NeuralScorer, ModelError> {
        let bytes = file.section(SECTION)?;
        let network = Network::for_use(&bytes).map_err(|error| ModelError::section(SECTION, error))?;
        let (labels, names) = (network.config().labels, inventory.names());
        let fits = [
            (labels.tags, names.tags.len()),
            (labels.spines, names.spines.len()),
            (labels.functions, names.functions.len()),
            (labels.attachments, names.attachments.len()),
            (labels.traces, names.traces.len()),
        ];
        if fits.iter().any(|(labels, names)| labels != names) {
            return Err(ModelError::section(SECTION, "it does not fit the names of the model"));
        }
        Ok(NeuralScorer::new(network, inventory))
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }
}

/// The section of a model file that holds the network.
pub const SECTION: &str = "network";

impl Scorer for NeuralScorer {
    fn score(&self, sentences: &[&Sentence], convention: usize) -> Vec<SentenceScores> {
        let input = |sentence: &&Sentence| Input { words: sentence.words.clone(), dialect: convention };
        let prepared: Vec<Prepared> =
            sentences.iter().map(|sentence| self.network.prepare(&input(sentence))).collect();
        let tape = &mut self.network.inference();
        let words = self.network.read(tape, &prepared.iter().collect::<Vec<_>>());
        let mut word_task = |task: fn(&Network, &mut Tape<'_>, &Words) -> Var| {
            let raw = task(&self.network, tape, &words);
            tape.log_softmax(raw, Widths::Even)
        };
        let tags = word_task(Network::tags);
        let spines = word_task(Network::spines);
        let functions = word_task(Network::functions);
        let (heads, widths) = self.network.arcs(tape, &words);
        let heads = tape.log_softmax(heads, widths);

        let mut head_values = heads.values();
        let plans: Vec<Plan> = each(&words.spans)
            .map(|(from, to)| {
                let (values, rest) = head_values.split_at((to - from) * (to - from + 1));
                head_values = rest;
                let spines = (from..to).map(|row| spines.row(row));
                let may_refer: Vec<bool> = spines.map(|row| self.may_refer(row)).collect();
                Plan::new(values.to_vec(), &may_refer)
            })
            .collect();
        let (attachment_pairs, trace_pairs) = all_pairs(&plans);
        let attachments = self.network.attachments(tape, &words, attachment_pairs.into());
        let attachments = tape.log_softmax(attachments, Widths::Even);
        let traces = self.network.traces(tape, &words, trace_pairs.into());
        let traces = tape.log_softmax(traces, Widths::Even);

        let (mut attachment_row, mut trace_row) = (0, 0);
        let sentence = |((from, to), plan): ((usize, usize), Plan)| {
            let grid = |matrix: &Matrix| {
                Grid::from_values(
                    matrix.cols(),
                    matrix.values()[from * matrix.cols()..to * matrix.cols()].to_vec(),
                )
            };
            let n = to - from;
            let mut by_pair = Grid::new(n * (n + 1), attachments.cols(), f32::NEG_INFINITY);
            for &(word, head) in &plan.attachments {
                by_pair.row_mut(word * (n + 1) + head).copy_from_slice(attachments.row(attachment_row));
                attachment_row += 1;
            }
            let mut by_referrer = vec![None; n];
            for &referrer in &plan.referrers {
                let mut grid = Grid::new(n, traces.cols() - 1, f32::NEG_INFINITY);
                for antecedent in (0..n).filter(|&antecedent| antecedent != referrer) {
                    // Class 0 says that there is no reference.
                    let (none, labels) =
                        traces.row(trace_row).split_first().expect("there is a class for none");
                    grid.row_mut(antecedent)
                        .iter_mut()
                        .zip(labels)
                        .for_each(|(worth, label)| *worth = label - none);
                    trace_row += 1;
                }
                by_referrer[referrer] = Some(grid);
            }
            SentenceScores {
                tags: grid(&tags),
                spines: grid(&spines),
                functions: grid(&functions),
                heads: plan.heads,
                attachments: by_pair,
                traces: by_referrer,
            }
        };
        each(&words.spans).zip(plans).map(sentence).collect()
    }
}

impl NeuralScorer {
    /// Whether a likely spine among these scores has something that refers.
    fn may_refer(&self, spines: &[f32]) -> bool {
        let floor = spines.iter().copied().fold(f32::NEG_INFINITY, f32::max) - SPINE_MARGIN;
        spines.iter().zip(&self.refers).any(|(&score, &refers)| refers && score >= floor)
    }
}

/// Which pairs of a sentence are scored.
struct Plan {
    heads: Grid,
    /// Words (from 0) and heads (the root is 0) between which there may be a structural edge.
    attachments: Vec<(usize, usize)>,
    /// The words that may refer.
    referrers: Vec<usize>,
}

impl Plan {
    /// Heads that are out of the question become -∞; the root never does, so that there is always a tree.
    fn new(mut heads: Vec<f32>, may_refer: &[bool]) -> Plan {
        let columns = may_refer.len() + 1;
        let mut attachments = Vec::new();
        for (word, row) in heads.chunks_mut(columns).enumerate() {
            let floor = row.iter().copied().fold(f32::NEG_INFINITY, f32::max) - HEAD_MARGIN;
            for (head, score) in row.iter_mut().enumerate().skip(1) {
                if *score >= floor {
                    attachments.push((word, head));
                } else {
                    *score = f32::NEG_INFINITY;
                }
            }
        }
        let referrers = (0..may_refer.len()).filter(|&word| may_refer[word]).collect();
        Plan { heads: Grid::from_values(columns, heads), attachments, referrers }
    }

    fn words(&self) -> usize {
        self.heads.columns() - 1
    }
}

/// Pairs of rows of a batch.
type Pairs = Vec<(u32, u32)>;

/// The pairs of all sentences: for attachments, and for references.
fn all_pairs(plans: &[Plan]) -> (Pairs, Pairs) {
    let (mut attachments, mut traces) = (Vec::new(), Vec::new());
    let mut from = 0;
    for (nth, plan) in plans.iter().enumerate() {
        // Among heads, each sentence begins with a row for the root.
        attachments.extend(
            plan.attachments.iter().map(|&(word, head)| ((from + word) as u32, (from + nth + head) as u32)),
        );
        for &referrer in &plan.referrers {
            let others = (0..plan.words()).filter(|&other| other != referrer);
            traces.extend(others.map(|other| ((from + referrer) as u32, (from + other) as u32)));
        }
        from += plan.words();
    }
    (attachments, traces)
}
