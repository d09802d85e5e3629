//! How fast text is cut: English prose made of the sentences below, and texts that would be slow if any rule went back over the text.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tracebank_text::Tokeniser;

const PROSE: &str = "Mr. O'Neill said that he couldn't pay the $1,000 (about 950 euros) that he owed to Acme Inc. and its \
    sister company. \"Why not?\" she asked, and looked at the well-known picture over the fireplace; it was worth \
    more than that, e.g. to collectors in the U.S. or in Japan. NF-kappa B is activated by IL-2 in 3.5% of the \
    cells [4, 5], as Smith et al. (2004) have shown. The weather was fine, and nobody said a word until dinner was \
    ready. See http://example.org/a_(b) for more.\n\n";

fn tokenise(criterion: &mut Criterion) {
    let tokeniser = Tokeniser::default();
    let mut group = criterion.benchmark_group("tokenise");
    let hard = [
        "a",
        ".",
        ". ",
        "'",
        "\"",
        "(",
        "a-",
        "a.-",
        "in'-",
        "http://a,",
        "…",
        "é",
        "a\n\n",
        "'in'-",
        "?) ( ",
    ];
    let texts = [("prose", PROSE)].into_iter().chain(hard.iter().map(|text| (*text, *text)));
    for (name, unit) in texts {
        let text = unit.repeat(1_000_000 / unit.len());
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(format!("{name:?}"), |bencher| {
            bencher.iter(|| {
                tokeniser.iter(black_box(&text)).map(|sentence| sentence.tokens.len()).sum::<usize>()
            });
        });
    }
}

criterion_group! { name = benches; config = Criterion::default().sample_size(10); targets = tokenise }
criterion_main!(benches);
