//! The first layers of a pretrained BERT: word pieces, self-attention, and the mean of each word's pieces.

use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;

use safetensors::{Dtype, SafeTensors};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Batch;
use crate::tensors::floats;
use crate::wordpiece::WordPiece;
use tracebank_nn::layer::{Linear, Norm};
use tracebank_nn::matrix::Matrix;
use tracebank_nn::ops::{each, spans};
use tracebank_nn::params::{Builder, Learning, ParamId, Params};
use tracebank_nn::tape::{Tape, Var};

/// The sizes of the pretrained encoder; the defaults are those of all-MiniLM-L6-v2.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PretrainedConfig {
    /// The number of layers that are used, from the bottom.
    pub layers: usize,
    /// Columns of a piece's vector.
    pub hidden: usize,
    /// Heads of attention.
    pub heads: usize,
    /// Columns between the two linear layers after attention.
    pub intermediate: usize,
    /// The most pieces of a window, with its two marks.
    pub positions: usize,
    /// Dropout after the embeddings and inside each layer.
    pub dropout: f32,
    /// The share of pieces that are hidden in training, so that no word is relied on alone.
    pub hidden_pieces: f32,
}

impl Default for PretrainedConfig {
    fn default() -> Self {
        Self {
            layers: 6,
            hidden: 384,
            heads: 12,
            intermediate: 1536,
            positions: 512,
            dropout: 0.1,
            hidden_pieces: 0.0,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Pretrained {
    words: ParamId,
    positions: ParamId,
    types: ParamId,
    dialects: ParamId,
    norm: Norm,
    layers: Vec<Layer>,
    heads: usize,
    dropout: f32,
    hidden_pieces: f32,
}

/// Pieces that are encoded together where no way back is wanted: with more, memory is taken and nothing is faster.
const MOST_PIECES: usize = 2048;

/// A window's rows among the pieces of a batch.
struct Window {
    rows: (usize, usize),
    dialect: u32,
}

#[derive(Clone, Debug)]
struct Layer {
    qkv: Linear,
    attended: Linear,
    attended_norm: Norm,
    widen: Linear,
    narrow: Linear,
    norm: Norm,
}

impl Layer {
    fn new(builder: &mut Builder<'_>, name: &str, config: &PretrainedConfig) -> Self {
        let mut linear =
            |part: &str, inputs, outputs| Linear::new(builder, &format!("{name}.{part}"), inputs, outputs);
        let (hidden, intermediate) = (config.hidden, config.intermediate);
        Self {
            qkv: linear("qkv", hidden, 3 * hidden),
            attended: linear("attended", hidden, hidden),
            widen: linear("widen", hidden, intermediate),
            narrow: linear("narrow", intermediate, hidden),
            attended_norm: Norm::new(builder, &format!("{name}.attended_norm"), hidden),
            norm: Norm::new(builder, &format!("{name}.norm"), hidden),
        }
    }
}

impl Pretrained {
    pub(super) fn new(
        builder: &mut Builder<'_>,
        config: &PretrainedConfig,
        vocabulary: usize,
        dialects: usize,
    ) -> Self {
        builder.learning = Learning::Fresh;
        let dialects = builder.table("embeddings.dialects", dialects, config.hidden, 0.0);
        builder.learning = Learning::Pretrained { depth: config.layers as u32 };
        let (words, positions) = (
            builder.table("embeddings.words", vocabulary, config.hidden, 0.1),
            builder.table("embeddings.positions", config.positions, config.hidden, 0.1),
        );
        let types = builder.table("embeddings.types", 1, config.hidden, 0.1);
        let norm = Norm::new(builder, "embeddings.norm", config.hidden);
        let layer = |nth: usize| {
            builder.learning = Learning::Pretrained { depth: (config.layers - 1 - nth) as u32 };
            Layer::new(builder, &format!("layers.{nth}"), config)
        };
        let layers = (0..config.layers).map(layer).collect();
        let PretrainedConfig { heads, dropout, hidden_pieces, .. } = *config;
        Self { words, positions, types, dialects, norm, layers, heads, dropout, hidden_pieces }
    }

    pub(super) fn encode(&self, tape: &mut Tape<'_>, batch: &Batch) -> Var {
        let dialects = batch.dialects.iter().zip(&batch.windows_of);
        let dialects = dialects.flat_map(|(&id, &count)| std::iter::repeat_n(id, count));
        let windows: Vec<Window> =
            each(&batch.windows).zip(dialects).map(|(rows, dialect)| Window { rows, dialect }).collect();
        // The way back needs all at once.
        let most = if tape.is_training() { usize::MAX } else { MOST_PIECES };
        let mut groups: Vec<Var> = Vec::new();
        let mut rest = &windows[..];
        while let [first, ..] = rest {
            let count = rest.partition_point(|window| window.rows.1 - first.rows.0 <= most).max(1);
            groups.push(self.pieces(tape, &batch.pieces, &rest[..count]));
            rest = &rest[count..];
        }
        let pieces = match <[Var; 1]>::try_from(groups) {
            Ok([pieces]) => pieces,
            Err(groups) => {
                let values: Vec<f32> = groups.iter().flat_map(|group| group.values()).copied().collect();
                let rows = groups.iter().map(|group| group.rows()).sum();
                tape.constant(Matrix::from_vec(rows, tape.params().value(self.words).cols(), values))
            }
        };
        tape.pool(&pieces, Rc::clone(&batch.segments))
    }

    /// The vectors of all pieces of windows that follow each other.
    fn pieces(&self, tape: &mut Tape<'_>, ids: &[u32], windows: &[Window]) -> Var {
        let lengths = || windows.iter().map(|window| window.rows.1 - window.rows.0);
        let spans = spans(lengths());
        let start = windows.first().map_or(0, |window| window.rows.0);
        let ids: Rc<[u32]> = ids[start..start + spans[windows.len()]].into();
        let positions = lengths().flat_map(|length| 0..length as u32).collect();
        let dialects =
            lengths().zip(windows).flat_map(|(length, window)| std::iter::repeat_n(window.dialect, length));
        let dialects = dialects.collect();
        let types = std::iter::repeat_n(0, ids.len()).collect();
        let words = tape.embed(vec![(self.words, ids)]);
        let words = tape.dropout_rows(words, self.hidden_pieces);
        let places =
            tape.embed(vec![(self.positions, positions), (self.types, types), (self.dialects, dialects)]);
        let x = self.norm.apply(tape, words, Some(&places));
        let mut x = tape.dropout(x, self.dropout);
        for layer in &self.layers {
            let qkv = layer.qkv.apply(tape, &x);
            let attended = tape.attention(&qkv, self.heads, &spans);
            drop(qkv);
            let attended = layer.attended.apply(tape, &attended);
            let attended = tape.dropout(attended, self.dropout);
            let attended = layer.attended_norm.apply(tape, attended, Some(&x));
            let wide = layer.widen.apply(tape, &attended);
            let wide = tape.gelu(&wide);
            let narrow = layer.narrow.apply(tape, &wide);
            let narrow = tape.dropout(narrow, self.dropout);
            x = layer.norm.apply(tape, narrow, Some(&attended));
        }
        x
    }
}

/// A reason why pretrained weights cannot be read.
#[derive(Debug, Error)]
pub enum PretrainedError {
    /// A file could not be read.
    #[error("cannot read {path}")]
    Read {
        /// The file.
        path: String,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The weights are not in the safetensors format.
    #[error("the weights are damaged")]
    Weights(#[from] safetensors::SafeTensorError),
    /// A tensor is not what the configuration asks for.
    #[error("{0} has not the type or shape the network needs")]
    Shape(String),
    /// A special piece is missing.
    #[error("the vocabulary lacks [UNK], [CLS] or [SEP]")]
    Vocabulary,
}

fn read(folder: &Path, name: &str) -> Result<Vec<u8>, PretrainedError> {
    let path = folder.join(name);
    std::fs::read(&path).map_err(|source| PretrainedError::Read { path: path.display().to_string(), source })
}

impl WordPiece {
    /// Reads `vocab.txt` of a pretrained model's folder, without the pieces that no English text has.
    pub fn read(folder: &Path) -> Result<Self, PretrainedError> {
        Self::new(vocabulary(folder)?.iter().filter(|piece| is_of_use(piece)).collect())
            .ok_or(PretrainedError::Vocabulary)
    }
}

fn vocabulary(folder: &Path) -> Result<Vec<String>, PretrainedError> {
    let text = read(folder, "vocab.txt")?;
    Ok(String::from_utf8_lossy(&text).lines().map(str::to_owned).collect())
}

/// Not a place left free for others, and nothing beyond Latin and Greek letters, punctuation and signs.
fn is_of_use(piece: &str) -> bool {
    let in_use = |c| matches!(c, '\0'..='\u{24F}' | '\u{370}'..='\u{3FF}' | '\u{2000}'..='\u{22FF}');
    !piece.starts_with("[unused") && piece.chars().all(in_use)
}

/// Fills in the weights of `model.safetensors` of a pretrained model's folder; of the table of pieces, those of `pieces`.
pub(crate) fn load(
    params: &mut Params,
    config: &PretrainedConfig,
    pieces: &WordPiece,
    folder: &Path,
) -> Result<(), PretrainedError> {
    let bytes = read(folder, "model.safetensors")?;
    let tensors = SafeTensors::deserialize(&bytes)?;
    let row_of: HashMap<String, usize> = vocabulary(folder)?.into_iter().zip(0..).collect();
    let mut fill = |ours: &str, theirs: &[String]| {
        let id = params.find(ours).ok_or_else(|| PretrainedError::Shape(ours.to_owned()))?;
        let (rows, cols) = params.value(id).shape();
        let mut values = Vec::with_capacity(rows * cols);
        for name in theirs {
            let tensor = tensors.tensor(name)?;
            if tensor.dtype() != Dtype::F32 {
                return Err(PretrainedError::Shape(name.clone()));
            }
            values.extend(floats(tensor.data()));
        }
        match ours {
            "embeddings.words" => {
                let row = |piece: &str| values.chunks_exact(cols).nth(*row_of.get(piece)?);
                let rows: Option<Vec<&[f32]>> = pieces.pieces().iter().map(row).collect();
                values = rows.ok_or_else(|| PretrainedError::Shape(ours.to_owned()))?.concat();
            }
            // Of the two types of token only the first is in use.
            "embeddings.types" => values.truncate(cols),
            _ => {}
        }
        if values.len() != rows * cols {
            return Err(PretrainedError::Shape(ours.to_owned()));
        }
        params.get_mut(id).value = Matrix::from_vec(rows, cols, values);
        Ok(())
    };
    let one = |name: &str| vec![name.to_owned()];
    fill("embeddings.words", &one("embeddings.word_embeddings.weight"))?;
    fill("embeddings.positions", &one("embeddings.position_embeddings.weight"))?;
    fill("embeddings.types", &one("embeddings.token_type_embeddings.weight"))?;
    for kind in ["weight", "bias"] {
        fill(&format!("embeddings.norm.{kind}"), &one(&format!("embeddings.LayerNorm.{kind}")))?;
        for nth in 0..config.layers {
            let theirs = |part: &str| format!("encoder.layer.{nth}.{part}.{kind}");
            let qkv = ["query", "key", "value"].map(|part| theirs(&format!("attention.self.{part}")));
            fill(&format!("layers.{nth}.qkv.{kind}"), &qkv)?;
            for (ours, part) in [
                ("attended", "attention.output.dense"),
                ("attended_norm", "attention.output.LayerNorm"),
                ("widen", "intermediate.dense"),
                ("narrow", "output.dense"),
                ("norm", "output.LayerNorm"),
            ] {
                fill(&format!("layers.{nth}.{ours}.{kind}"), &[theirs(part)])?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prepare::Lexicon;
    use tracebank_nn::random::Random;
    use tracebank_nn::tape::Mode;

    /// Numbers from a plain program written apart from this one.
    #[test]
    #[ignore = "needs the folder of all-MiniLM-L6-v2 in the variable MINILM"]
    fn layers_compute_what_they_should() {
        let folder = std::env::var("MINILM").expect("MINILM names a folder");
        let pieces = WordPiece::read(folder.as_ref()).expect("vocab.txt is there");
        let lexicon = Lexicon::Pieces(pieces.clone());
        let words = ["The", "dog", "was", "unaffable", "."].map(str::to_owned);
        let sentence = lexicon.prepare(&words, 0, 1, 512);
        for (layers, expected) in [
            (
                3,
                [
                    [0.20902, 0.66072, -0.18167, -0.12765],
                    [0.06249, 0.08114, 0.32677, -0.22036],
                    [0.41164, 0.32926, -0.24441, -0.2325],
                    [0.23999, 0.42811, -0.30845, -0.31269],
                    [0.69748, 0.4009, -1.0711, -0.1862],
                ],
            ),
            (
                6,
                [
                    [-0.02408, 0.73298, 0.04555, 0.74325],
                    [0.24831, -0.0206, 0.29403, 0.80803],
                    [-0.02654, 0.81582, 0.16132, 0.93407],
                    [0.01113, 0.45954, 0.03033, 0.65392],
                    [0.14918, 0.3482, 0.11927, 0.86556],
                ],
            ),
        ] {
            let config = PretrainedConfig { layers, ..PretrainedConfig::default() };
            let mut params = Params::default();
            let mut builder =
                Builder { params: &mut params, random: Some(Random::new(0)), learning: Learning::Fresh };
            let encoder = Pretrained::new(&mut builder, &config, lexicon.size(), 1);
            load(&mut params, &config, &pieces, folder.as_ref()).expect("the weights fit");
            let found = encoder.encode(&mut Tape::new(&params, Mode::Infer), &Batch::new(&[&sentence]));
            for (word, expected) in expected.iter().enumerate() {
                for (x, y) in found.row(word).iter().zip(expected) {
                    assert!((x - y).abs() < 1e-4, "{layers} layers, word {word}: {x} is not {y}");
                }
            }
        }
    }
}
