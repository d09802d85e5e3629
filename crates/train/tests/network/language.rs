//! A small made-up language: each word's tag follows from its spelling, and its head from its neighbours.

use tracebank_neural::encoder::{EncoderConfig, LstmConfig, PretrainedConfig, SpellingConfig};
use tracebank_neural::network::{Hidden, Labels};
use tracebank_neural::wordpiece::WordPiece;
use tracebank_neural::{Lexicon, Network, NetworkConfig};
use tracebank_nn::random::Random;
use tracebank_parser::gold::Gold;
use tracebank_parser::vocabulary::{
    AttachmentId, FunctionId, Names, SpineId, TagId, Trace, TraceId, Vocabulary,
};
use tracebank_train::network::PreparedExample;

const WORDS: [&str; 8] = ["the", "a", "dog", "cats", "Sue", "saw", "likes", "him"];
const TAGS: [u16; 8] = [0, 0, 1, 1, 2, 3, 3, 2];

/// Names for the labels. Every spine has a null that refers, so that the traces of all words are scored.
pub(crate) fn vocabulary() -> Vocabulary {
    let list = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    Vocabulary::new(Names {
        tags: list(&["DT", "NN", "NNP", "VBD"]),
        spines: list(&["NP(NP-SBJ(*))", "S(NP-SBJ(*))", "VP S(NP-SBJ(*))"]),
        functions: list(&["", "-SBJ"]),
        attachments: list(&["VP#0", "S#0", "NP#0"]),
        traces: list(&["(NP-SBJ *)#0 > NP#0", "(NP-SBJ *)#0 > S#0"]),
        obliged: Vec::new(),
    })
    .expect("the names are sound")
}

pub(crate) fn encoders(dropout: f32) -> [EncoderConfig; 2] {
    [
        EncoderConfig::Pretrained(PretrainedConfig {
            layers: 2,
            hidden: 16,
            heads: 2,
            intermediate: 32,
            // So few that some sentences need several windows.
            positions: 10,
            dropout,
            hidden_pieces: dropout,
        }),
        EncoderConfig::Lstm(LstmConfig {
            embedding: 16,
            hidden: 12,
            layers: 2,
            dropout,
            word_dropout: dropout,
        }),
    ]
}

pub(crate) fn network(encoder: EncoderConfig, dropout: f32) -> Network {
    let lexicon = match &encoder {
        EncoderConfig::Pretrained(_) => {
            let pieces = [
                "[UNK]", "[CLS]", "[SEP]", "the", "a", "dog", "cat", "##s", "su", "##e", "saw", "like", "him",
            ];
            Lexicon::Pieces(WordPiece::new(pieces.iter().collect()).expect("the special pieces are there"))
        }
        EncoderConfig::Lstm(_) => Lexicon::from_words(WORDS[..6].iter().copied(), 1),
    };
    let config = NetworkConfig {
        encoder,
        spelling: SpellingConfig { buckets: 64, ngrams: 6, shape: 4 },
        width: 24,
        dropout,
        dialects: 2,
        labels: Labels { tags: 4, spines: 3, functions: 2, attachments: 3, traces: 2 },
        hidden: Hidden { tags: 12, spines: 12, functions: 8, arcs: 16, attachments: 12, traces: 12 },
    };
    Network::new(config, lexicon, 5)
}

pub(crate) fn examples(network: &Network, count: usize) -> Vec<PreparedExample> {
    let mut random = Random::new(9);
    let mut example = || {
        let ids: Vec<usize> = (0..3 + random.below(6)).map(|_| random.below(WORDS.len())).collect();
        let verb = ids.iter().position(|&id| TAGS[id] == 3).unwrap_or(0);
        let head = |word: usize| match TAGS[ids[word]] {
            _ if word == verb => 0,
            0 if word + 1 < ids.len() => word as u32 + 2,
            _ => verb as u32 + 1,
        };
        let heads: Vec<u32> = (0..ids.len()).map(head).collect();
        let words: Vec<String> = ids.iter().map(|&id| WORDS[id].to_owned()).collect();
        let dialect = random.below(2);
        let tags = || ids.iter().map(|&id| TAGS[id]);
        let attachment = |(word, &head): (usize, &u32)| {
            Some(AttachmentId(if head == 0 { 0 } else { 1 + u16::from(head > word as u32) }))
        };
        let label = TraceId(u16::from(ids.len() > 5));
        let trace = (verb > 0).then_some(Trace { referrer: verb as u32 + 1, antecedent: 1, label });
        let gold = Gold {
            tags: tags().map(|tag| Some(TagId(tag))).collect(),
            spines: tags().map(|tag| Some(SpineId(tag.min(2)))).collect(),
            functions: tags().map(|tag| Some(FunctionId(u16::from(tag == 3)))).collect(),
            attachments: heads.iter().enumerate().map(attachment).collect(),
            traces: trace.into_iter().collect(),
            heads,
        };
        PreparedExample { sentence: network.prepare(&words, dialect), gold }
    };
    (0..count).map(|_| example()).collect()
}
