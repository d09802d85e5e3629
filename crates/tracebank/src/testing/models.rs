//! Models of a few kilobytes, for tests of what reads models: they know nothing, and have all that a model has.

use std::collections::BTreeMap;

use tracebank_linear::lexicon::{Entry, Lexicon};
use tracebank_linear::tagger::Tagger;
use tracebank_linear::weights::Weights;
use tracebank_linear::{LinearConfig, LinearModel, Mixed};
use tracebank_neural::encoder::{EncoderConfig, LstmConfig, PretrainedConfig, SpellingConfig};
use tracebank_neural::network::{Hidden, Labels};
use tracebank_neural::scorer;
use tracebank_neural::store::Precision;
use tracebank_neural::wordpiece::WordPiece;
use tracebank_neural::{Network, NetworkConfig, NeuralScorer, prepare};
use tracebank_parser::gold::TrainingExample;
use tracebank_parser::model::{Metadata, ModelError, ModelFile, ModelWriter};

use super::{examples, metadata};

/// Trees with nulls of several kinds, for the names of a tiny model.
const TREES: [&str; 3] = [
    "( (S (NP-SBJ-1 (PRP We)) (VP (VBP like) (S (NP-SBJ (-NONE- *-1)) (VP (VBG running)))) (. .)))",
    "( (SBARQ (WHNP-1 (WDT Which) (NN book)) (SQ (VBD did) (NP-SBJ (PRP she)) (VP (VB buy) (NP (-NONE- *T*-1)))) (. ?)))",
    "( (S (NP-SBJ (PRP He)) (VP (VBD said) (SBAR (-NONE- 0) (S (NP-SBJ (PRP they)) (VP (VBD left))))) (. .)))",
];

/// The kinds of models that there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TinyModel {
    /// A linear model.
    Linear,
    /// A network over an LSTM, in floats.
    Lstm,
    /// A network over layers of attention, its weights in int8 as far as that goes.
    Attention,
    /// A network and a linear model together.
    Mixed,
}

impl TinyModel {
    /// Every kind.
    pub const ALL: [TinyModel; 4] =
        [TinyModel::Linear, TinyModel::Lstm, TinyModel::Attention, TinyModel::Mixed];

    /// The file of a model of this kind.
    pub fn bytes(self) -> Vec<u8> {
        let trees = TREES.map(|tree| tree.parse().expect("a tree"));
        let examples = examples(&trees);
        let metadata = metadata(&examples, &["penn", "masc"]);
        let mut writer = ModelWriter::default();
        writer.json("about", &"a tiny model").expect("a text is JSON");
        metadata.write(&mut writer).expect("metadata is JSON");
        if matches!(self, TinyModel::Linear | TinyModel::Mixed) {
            linear(&metadata, &examples).write(&mut writer).expect("a model is JSON and bytes");
        }
        if self != TinyModel::Linear {
            writer.bytes(scorer::SECTION, self.network(&metadata, &examples));
        }
        if self == TinyModel::Mixed {
            let section = Mixed::<NeuralScorer, LinearModel>::SECTION;
            writer.json(section, &0.5).expect("a number is JSON");
        }
        writer.finish()
    }

    fn network(self, metadata: &Metadata, examples: &[TrainingExample]) -> Vec<u8> {
        let names = metadata.vocabulary.names();
        let words =
            || examples.iter().flat_map(|example| &example.projection.words).map(|word| word.form.as_str());
        let (encoder, lexicon, precision) = if self == TinyModel::Attention {
            let config = PretrainedConfig {
                layers: 1,
                hidden: 8,
                heads: 2,
                intermediate: 8,
                positions: 12,
                ..PretrainedConfig::default()
            };
            let pieces = ["[UNK]", "[CLS]", "[SEP]", "we", "like", "##d", "book", "."];
            let pieces = WordPiece::new(pieces.iter().collect()).expect("the marks are there");
            (EncoderConfig::Pretrained(config), prepare::Lexicon::Pieces(pieces), Precision::Int8)
        } else {
            let config = LstmConfig { embedding: 6, hidden: 4, layers: 1, ..LstmConfig::default() };
            (EncoderConfig::Lstm(config), prepare::Lexicon::from_words(words(), 1), Precision::Full)
        };
        let config = NetworkConfig {
            encoder,
            // Large enough for int8.
            spelling: SpellingConfig { buckets: 1 << 12, ngrams: 4, shape: 2 },
            width: 8,
            dialects: metadata.dialects.len(),
            labels: Labels {
                tags: names.tags.len(),
                spines: names.spines.len(),
                functions: names.functions.len(),
                attachments: names.attachments.len(),
                traces: names.traces.len(),
            },
            hidden: Hidden { tags: 4, spines: 6, functions: 3, arcs: 5, attachments: 4, traces: 4 },
            ..NetworkConfig::default()
        };
        Network::new(config, lexicon, 7).to_bytes(precision)
    }
}

/// Weights of a table that look learnt.
fn weights(bits: u32) -> Weights {
    let weights = Weights::new(bits);
    (0..weights.slots()).step_by(3).for_each(|slot| weights.set(slot, (slot * 37 % 101) as f32 / 50.0 - 1.0));
    weights
}

fn linear(metadata: &Metadata, examples: &[TrainingExample]) -> LinearModel {
    let vocabulary = &metadata.vocabulary;
    let mut words: BTreeMap<String, Entry> = BTreeMap::new();
    let mut tags = vec![Entry::default(); vocabulary.names().tags.len()];
    for example in examples {
        let gold = example.gold(vocabulary);
        for (index, word) in example.projection.words.iter().enumerate() {
            let ids = gold.tags[index].zip(gold.spines[index]).zip(gold.functions[index]);
            let Some(((tag, spine), function)) = ids else { continue };
            for entry in [words.entry(word.form.clone()).or_default(), &mut tags[tag.index()]] {
                entry.count += 10;
                entry.tags.push(tag.0);
                entry.spines.push(spine.0);
                entry.functions.push(function.0);
            }
        }
    }
    let lexicon = Lexicon::new(words, tags);
    let config = LinearConfig { bits: 10, ..LinearConfig::default() };
    LinearModel::new(vocabulary.clone(), lexicon, Tagger::new(vocabulary, weights(8)), config, weights(10))
}

/// The sections of a model, unpacked, by name. Written again by a [`ModelWriter`], they have right checksums whatever was done to them.
pub fn sections(bytes: &[u8]) -> Result<Vec<(String, Vec<u8>)>, ModelError> {
    let file = ModelFile::open(bytes)?;
    let section = |name: &String| Ok((name.clone(), file.section(name)?.into_owned()));
    let names: Vec<String> = file.sections().map(|section| section.name.clone()).collect();
    names.iter().map(section).collect()
}
