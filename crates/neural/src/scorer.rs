//! The network as a [`Scorer`].

use tracebank_parser::model::{Metadata, ModelError, ModelFile};
use tracebank_parser::scores::{ScoreRequest, Scorer, SentenceScores};
use tracebank_parser::vocabulary::Vocabulary;
use tracebank_text::Sentence;

use crate::batch_scores::{BatchScores, Referring, Scope};
use crate::network::Network;
use crate::prepare::Prepared;

/// A network and what it needs to know about spines.
#[derive(Clone, Debug)]
pub struct NeuralScorer {
    network: Network,
    referring: Referring,
}

impl NeuralScorer {
    /// Scores by `network`, whose labels are those of `vocabulary`, with big matrices as int8.
    pub fn new(mut network: Network, vocabulary: &Vocabulary) -> NeuralScorer {
        if !network.is_quantised() {
            network.quantise();
        }
        NeuralScorer::as_it_is(network, vocabulary)
    }

    /// Scores by `network` with the weights as it has them.
    pub fn as_it_is(network: Network, vocabulary: &Vocabulary) -> NeuralScorer {
        NeuralScorer { network, referring: Referring::new(vocabulary) }
    }

    /// The network of a model file.
    pub fn read(file: &ModelFile<'_>, vocabulary: &Vocabulary) -> Result<NeuralScorer, ModelError> {
        let network = match file.lasting(SECTION) {
            Some(bytes) => Network::for_use_in_place(bytes),
            None => Network::for_use(&file.section(SECTION)?),
        };
        let network = network.map_err(|error| ModelError::section(SECTION, error))?;
        if !network.config().fits(vocabulary.names(), Metadata::dialects(file)?.len()) {
            return Err(ModelError::section(SECTION, "it does not fit the names of the model"));
        }
        Ok(NeuralScorer::new(network, vocabulary))
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }
}

/// The section of a model file that holds the network.
pub const SECTION: &str = "network";

impl Scorer for NeuralScorer {
    fn score(&self, sentences: &[&Sentence], request: &ScoreRequest) -> Vec<SentenceScores> {
        let prepare = |sentence: &&Sentence| self.network.prepare(&sentence.tokens, request.dialect);
        let prepared: Vec<Prepared> = sentences.iter().map(prepare).collect();
        let tape = &mut self.network.inference();
        let words = self.network.read(tape, &prepared.iter().collect::<Vec<_>>());
        let scope = Scope::parsing(request.traces.then_some(&self.referring), &request.pruning);
        BatchScores::new(&self.network, tape, &words, scope).sentences()
    }
}
