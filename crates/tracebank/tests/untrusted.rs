//! Models that mean harm, with right checksums: loading one ends in a parser that works or in an error that names the fault, and takes no more
//! memory than `docs/reliability.md` states. The allocator of this binary refuses to give more.

#![allow(clippy::print_stdout, reason = "the figures are for the record")]
#![allow(clippy::large_stack_arrays, clippy::type_complexity, reason = "a test")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{LazyLock, Mutex};

use serde_json::{Value, json};
use tracebank::testing::{TinyModel, sections};
use tracebank::{Error, OutputFormat, Parser};
use tracebank_parser::model::{ModelFile, ModelWriter};

/// Counts what is in use, and gives nothing beyond a limit.
struct Bounded;

static USED: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);

// SAFETY: all memory comes from the system's allocator and goes back to it with the layout it was asked for.
unsafe impl GlobalAlloc for Bounded {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let used = USED.fetch_add(layout.size(), Relaxed).saturating_add(layout.size());
        if used > LIMIT.load(Relaxed) {
            USED.fetch_sub(layout.size(), Relaxed);
            return std::ptr::null_mut();
        }
        PEAK.fetch_max(used, Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        USED.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Bounded = Bounded;

/// The bound that `docs/reliability.md` states.
fn most_memory(file: usize) -> usize {
    128 * file + (256 << 20)
}

/// Loads a model within the bound, and parses with it if it can be loaded. Gives the peak too.
fn load(bytes: &[u8]) -> (Result<Parser, Error>, usize) {
    let before = USED.load(Relaxed);
    PEAK.store(before, Relaxed);
    LIMIT.store(before + most_memory(bytes.len()), Relaxed);
    let parser = Parser::from_bytes(bytes);
    LIMIT.store(usize::MAX, Relaxed);
    let peak = PEAK.load(Relaxed) - before;
    if let Ok(parser) = &parser {
        works(parser);
    }
    (parser, peak)
}

/// The answers of a parser, in every form, come back from their readers.
fn works(parser: &Parser) {
    for sentence in ["Which book did we like ?", "x"] {
        let words: Vec<&str> = sentence.split(' ').collect();
        let parse = parser.parse_tokens(&words);
        assert!(parse.tree.words().eq(words));
        for form in OutputFormat::ALL {
            let mut text = String::new();
            form.write((&parse).into(), &mut text);
            if form == OutputFormat::Penn {
                assert_eq!(text.parse::<tracebank::Tree>().unwrap().to_string(), parse.tree.to_string());
            }
        }
    }
}

/// The tests share one allocator.
static TURN: Mutex<()> = Mutex::new(());

fn written(sections: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut writer = ModelWriter::default();
    for (name, bytes) in sections {
        match std::str::from_utf8(bytes) {
            Ok(text) => writer.text(name, text),
            Err(_) => writer.bytes(name, bytes.clone()),
        }
    }
    writer.finish()
}

/// The sections of a model, by name.
type Sections = Vec<(String, Vec<u8>)>;

/// A tiny model in which one section was changed.
fn changed(kind: TinyModel, section: &str, change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    static KINDS: LazyLock<Vec<Sections>> =
        LazyLock::new(|| TinyModel::ALL.iter().map(|kind| sections(&kind.bytes()).unwrap()).collect());
    let mut all = KINDS[TinyModel::ALL.iter().position(|&other| other == kind).unwrap()].clone();
    let found = all.iter_mut().find(|(name, _)| name == section).expect("the section is there");
    change(&mut found.1);
    written(&all)
}

/// A tiny model in which one value of a section of JSON was changed.
fn with_value(kind: TinyModel, section: &str, pointer: &str, value: &Value) -> Vec<u8> {
    changed(kind, section, |bytes| {
        let mut json: Value = serde_json::from_slice(bytes).unwrap();
        let parent = pointer.rsplit_once('/').map(|(parent, key)| (parent.to_owned(), key.to_owned()));
        let (parent, key) = parent.expect("a place in a map");
        match json.pointer_mut(&parent).expect("the place is there") {
            Value::Array(list) => list[key.parse::<usize>().unwrap()] = value.clone(),
            map => map[key.as_str()] = value.clone(),
        }
        // No number of `Value` is this large.
        *bytes = json.to_string().replace("\"HUGE\"", "1e39").into_bytes();
    })
}

/// The stored network with its header (`header.json`) changed.
fn with_network(kind: TinyModel, pointer: &str, value: &Value) -> Vec<u8> {
    changed(kind, "network", |bytes| {
        let tensors = safetensors::SafeTensors::deserialize(bytes).unwrap();
        let mut header: Value =
            serde_json::from_slice(tensors.tensor("header.json").unwrap().data()).unwrap();
        *header.pointer_mut(pointer).expect("the place is there") = value.clone();
        let header = header.to_string().into_bytes();
        let views = tensors.iter().map(|(name, view)| {
            let data = if name == "header.json" { header.clone() } else { view.data().to_vec() };
            let shape = if name == "header.json" { vec![data.len()] } else { view.shape().to_vec() };
            (name.to_owned(), view.dtype(), shape, data)
        });
        let views: Vec<_> = views.collect();
        let views = views.iter().map(|(name, dtype, shape, data)| {
            (name, safetensors::tensor::TensorView::new(*dtype, shape.clone(), data).unwrap())
        });
        *bytes = safetensors::serialize(views, None).unwrap();
    })
}

fn refused(bytes: &[u8], reason: &str) {
    let error = load(bytes).0.err().unwrap_or_else(|| panic!("loaded, where it should be {reason:?}"));
    assert!(error.to_string().contains(reason), "{error} is not {reason:?}");
}

#[test]
fn the_tiny_models_are_models() {
    let _turn = TURN.lock();
    for kind in TinyModel::ALL {
        assert_eq!(written(&sections(&kind.bytes()).unwrap()), kind.bytes());
        load(&kind.bytes()).0.unwrap();
    }
}

#[test]
fn sizes_are_compared_with_the_tensors_before_memory_is_taken() {
    let _turn = TURN.lock();
    let (lstm, attention) = (TinyModel::Lstm, TinyModel::Attention);
    for (kind, pointer, sizes) in [
        (lstm, "/config/width", [0_u64, 9, 1 << 40].as_slice()),
        (lstm, "/config/encoder/hidden", &[0, 5, 65_536, u64::MAX / 2]),
        (lstm, "/config/encoder/layers", &[0, 2, 1_000_000_000_000]),
        (lstm, "/config/encoder/embedding", &[0, 7, u64::MAX]),
        (lstm, "/config/spelling/buckets", &[0, 1, 1 << 24, 1 << 60]),
        (lstm, "/config/spelling/ngrams", &[0, 65_536]),
        (lstm, "/config/spelling/shape", &[0, 65_536]),
        (lstm, "/config/dialects", &[0, 1, 3, 1 << 24]),
        (lstm, "/config/labels/tags", &[0, 1, 65_536]),
        (lstm, "/config/labels/traces", &[0, 65_536, u64::MAX]),
        (lstm, "/config/hidden/arcs", &[0, 65_536, 1 << 62]),
        (attention, "/config/encoder/hidden", &[0, 9, 65_536]),
        (attention, "/config/encoder/heads", &[0, 3, 9, 1 << 40]),
        (attention, "/config/encoder/layers", &[2, 1 << 40]),
        (attention, "/config/encoder/positions", &[0, 9, 1 << 24]),
        (attention, "/config/encoder/intermediate", &[0, 65_536]),
    ] {
        for size in sizes {
            refused(&with_network(kind, pointer, &json!(size)), "section \"network\"");
        }
    }
}

#[test]
fn a_network_that_does_not_fit_its_words_or_names_is_refused() {
    let _turn = TURN.lock();
    let lexicon = json!({"Words": ["a", "a"]});
    refused(&with_network(TinyModel::Lstm, "/lexicon", &lexicon), "header");
    refused(&with_network(TinyModel::Lstm, "/lexicon", &json!({"Words": []})), "embeddings.words");
    let pieces = json!({"Pieces": ["[UNK]", "[CLS]", "[SEP]"]});
    refused(&with_network(TinyModel::Lstm, "/lexicon", &pieces), "not of the same kind");
    refused(&with_network(TinyModel::Attention, "/lexicon", &json!({"Pieces": ["[UNK]"]})), "header");
    refused(&with_network(TinyModel::Lstm, "/config/dropout", &json!(1.5)), "dropout");
    let three = json!(["penn", "masc", "craft"]);
    let more = changed(TinyModel::Lstm, "conventions", |bytes| *bytes = three.to_string().into_bytes());
    refused(&more, "does not fit");
    let many = json!(vec!["penn"; 257]).to_string();
    refused(&changed(TinyModel::Lstm, "conventions", |bytes| *bytes = many.into_bytes()), "too many");
}

/// Every float of every tensor in turn becomes NaN, infinite, or as large as can be; so does every weight of a linear model.
#[test]
fn weights_that_are_no_numbers_are_refused_and_wild_ones_do_no_harm() {
    let _turn = TURN.lock();
    for kind in [TinyModel::Lstm, TinyModel::Attention] {
        let network = sections(&kind.bytes()).unwrap().pop().unwrap().1;
        let tensors = safetensors::SafeTensors::deserialize(&network).unwrap();
        let place = |part: &[u8]| part.as_ptr() as usize - network.as_ptr() as usize;
        for (name, view) in tensors.iter().filter(|(name, _)| *name != "header.json") {
            let start = place(view.data());
            if view.dtype() == safetensors::Dtype::F32 {
                for number in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                    let end = start + view.data().len();
                    let file = changed(kind, "network", |bytes| {
                        bytes[end - 4..end].copy_from_slice(&number.to_le_bytes());
                    });
                    refused(&file, "no finite number");
                }
            }
            for fill in [[0xff, 0xff, 0x7f, 0x7f], [0x80, 0x80, 0x80, 0x80]] {
                let file = changed(kind, "network", |bytes| {
                    bytes[start..start + view.data().len()]
                        .iter_mut()
                        .zip(fill.iter().cycle())
                        .for_each(|(to, from)| *to = *from);
                });
                load(&file).0.unwrap_or_else(|error| panic!("{name}: {error}"));
            }
        }
    }
    for (section, bits) in [("linear weights", 10), ("linear tagger", 8)] {
        for half in [0x7f80_u16, 0xff80, 0x7fc0] {
            let table = [&[bits, 0][..], &half.to_le_bytes()].concat();
            let file = changed(TinyModel::Linear, section, |bytes| *bytes = table);
            refused(&file, "no table of weights");
        }
        let mut table = vec![bits];
        (0..1 << bits).for_each(|_| table.extend([0, 0x7f, 0x7f]));
        load(&changed(TinyModel::Linear, section, |bytes| *bytes = table)).0.unwrap();
        // A table of a gigabyte in one byte.
        for bits in [25, 28, 29, 63, 64, 255] {
            refused(&changed(TinyModel::Linear, section, |bytes| *bytes = vec![bits]), "no table of weights");
        }
        load(&changed(TinyModel::Linear, section, |bytes| *bytes = vec![24])).0.unwrap();
    }
}

#[test]
fn settings_out_of_range_are_refused_by_name() {
    let _turn = TURN.lock();
    let fields = [
        ("spine", true),
        ("attachment", true),
        ("trace", true),
        ("unmet_penalty", true),
        ("shared_penalty", true),
        ("valency", true),
        ("temperature", true),
        ("trace_bonus", false),
        ("awaited_bonus", false),
        ("spine_margin", true),
    ];
    for (field, negative_is_wrong) in fields {
        for value in [json!(-1e5), json!(2e6), json!("HUGE"), json!(-1)] {
            if value == json!(-1) && !negative_is_wrong {
                load(&with_value(TinyModel::Lstm, "settings", &format!("/{field}"), &value)).0.unwrap();
                continue;
            }
            refused(&with_value(TinyModel::Lstm, "settings", &format!("/{field}"), &value), field);
            let pointer = format!("/config/settings/{field}");
            refused(&with_value(TinyModel::Linear, "linear", &pointer, &value), field);
        }
    }
    for spines in [json!(0), json!(65), json!(u64::MAX), json!(-1)] {
        refused(&with_value(TinyModel::Lstm, "settings", "/spines", &spines), "settings");
    }
    for (field, value) in [
        ("candidates", json!(0)),
        ("candidates", json!(1_u64 << 40)),
        ("heads", json!(0)),
        ("heads", json!(u64::MAX)),
        ("bits", json!(29)),
        ("trace_prior", json!(-101.0)),
        ("trace_prior", json!("HUGE")),
        ("least_role", json!(1.5)),
        ("least_role", json!(-0.5)),
    ] {
        refused(&with_value(TinyModel::Linear, "linear", &format!("/config/{field}"), &value), field);
    }
    for share in ["-1", "1e39", "101", "null"] {
        let file = changed(TinyModel::Mixed, "share", |bytes| *bytes = share.as_bytes().to_vec());
        refused(&file, "share");
    }
}

#[test]
fn names_of_which_no_tree_can_be_built_are_refused() {
    let _turn = TURN.lock();
    let long = vec!["NP"; 100_000].join(" ");
    let deep = format!("NP{}(*){}", "(X".repeat(10_000), ")".repeat(10_000));
    for (list, name) in [
        ("tags", ""),
        ("tags", "-NONE-"),
        ("tags", "N N"),
        ("tags", "N)"),
        ("tags", "(N"),
        ("tags", "N\nN"),
        ("tags", "N\u{a0}N"),
        ("tags", "N\u{0}"),
        ("tags", &"N".repeat(513)),
        ("spines", &long),
        ("spines", &deep),
        ("spines", "NP((*))"),
        ("spines", "NP()"),
        ("spines", "N\nP"),
        ("spines", "NP(*\n)"),
        ("spines", "-NONE-"),
        ("spines", "NP(SU /)"),
        ("spines", "(())"),
        ("spines", ""),
        ("functions", " "),
        ("functions", "SBJ"),
        ("functions", "-SBJ)"),
        ("functions", "-\t"),
        ("attachments", "NP"),
        ("attachments", "N P#0"),
        ("traces", "NP#0"),
    ] {
        for kind in [TinyModel::Lstm, TinyModel::Linear] {
            let file = with_value(kind, "names", &format!("/{list}/0"), &json!(name));
            let error =
                load(&file).0.err().unwrap_or_else(|| panic!("{name:?} was taken for one of the {list}"));
            assert!(error.to_string().contains("section \"names\""), "{error}");
        }
    }
    let names: Value = serde_json::from_slice(&sections(&TinyModel::Lstm.bytes()).unwrap()[1].1).unwrap();
    for list in ["tags", "spines", "functions", "attachments"] {
        refused(&with_value(TinyModel::Lstm, "names", &format!("/{list}"), &json!([])), "empty");
        let twice = &names[list][0];
        refused(&with_value(TinyModel::Lstm, "names", &format!("/{list}/1"), twice), "twice");
        let many: Vec<String> = (0..70_000).map(|n| format!("-{n}#0")).collect();
        refused(&with_value(TinyModel::Lstm, "names", &format!("/{list}"), &json!(many)), "too many");
    }
    let functions = json!({"S NP *": {"- ": 1}}).to_string();
    let file = changed(TinyModel::Lstm, "functions", |bytes| *bytes = functions.into_bytes());
    refused(&file, "section \"functions\"");
}

/// Two lists that are short in the file, whose product is not short in memory.
#[test]
fn facts_about_all_spines_and_all_traces_are_bounded() {
    let _turn = TURN.lock();
    let spines: Vec<String> = (0..60_000).map(|n| format!("S{n}")).collect();
    let traces: Vec<String> = (0..60_000).map(|n| format!("*#{n} > S#0")).collect();
    let file = changed(TinyModel::Lstm, "names", |bytes| {
        let mut names: Value = serde_json::from_slice(bytes).unwrap();
        (names["spines"], names["traces"]) = (json!(spines), json!(traces));
        *bytes = names.to_string().into_bytes();
    });
    refused(&file, "too many spines and traces");
}

/// A section with a length of its own in the index.
fn packed(name: &str, full: u64, packed: &[u8]) -> Vec<u8> {
    let blake3 = blake3::hash(packed).to_hex().to_string();
    let index = json!({"name": name, "packed": packed.len(), "full": full, "blake3": blake3}).to_string();
    let mut bytes = b"tracebnk\x01\0\0\0".to_vec();
    bytes.extend((index.len() as u32).to_le_bytes());
    bytes.extend(index.as_bytes());
    bytes.extend(blake3::hash(&bytes).as_bytes());
    bytes.extend(packed);
    bytes
}

#[test]
fn a_section_never_unpacks_to_more_than_a_few_times_the_file() {
    let _turn = TURN.lock();
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    let blank = vec![b' '; 1 << 20];
    (0..1024).for_each(|_| encoder.write_all(&blank).unwrap());
    let bomb = encoder.finish().unwrap();
    refused(&packed("names", 1 << 30, &bomb), "too many");
    refused(&packed("names", u64::MAX, &bomb), "too many");
    // An index that tells less than there is.
    refused(&packed("names", 4 << 20, &bomb), "length is not");
    assert!(ModelFile::open(packed("names", 4 << 20, &bomb)).unwrap().verify().is_err());
    // What packs as well and is honest is stored so that it can be read.
    let mut writer = ModelWriter::default();
    writer.text("places", &"\t0\t0\n".repeat(2 << 20));
    let file = writer.finish();
    assert_eq!(ModelFile::open(&file[..]).unwrap().text("places").unwrap().len(), 10 << 20);
}

/// As many of the smallest things as a file can hold, in each section.
#[test]
fn memory_is_bounded_by_a_multiple_of_the_file() {
    let _turn = TURN.lock();
    let most = 1 << 20;
    let numbers = |form: fn(usize) -> String| (0..most / 8).map(form).collect::<Vec<_>>().join(",");
    let empty = format!("[{}\"\"]", "\"\",".repeat(most));
    for (section, text) in [
        ("names", format!("{{\"tags\":{empty}}}")),
        ("conventions", empty.clone()),
        ("places", "\t0\t0\n".repeat(most / 2)),
        ("places", (0..most / 4).fold(String::new(), |text, n| text + &format!("{n:x}\t0\t0\n"))),
        ("functions", format!("{{{}}}", numbers(|n| format!("\"{n:x}\":{{}}")))),
        ("functions", format!("{{\"S\":{{{}}}}}", numbers(|n| format!("\"-{n:x}\":1")))),
        (
            "linear",
            format!("{{\"config\":{{}},\"lexicon\":{{\"words\":{{}},\"tags\":[{}0]}}}}", "0,".repeat(most)),
        ),
    ] {
        let kind = if section == "linear" { TinyModel::Linear } else { TinyModel::Lstm };
        let file = changed(kind, section, |bytes| *bytes = text.into_bytes());
        let (_, peak) = load(&file);
        println!("{section}: {peak} bytes for a file of {}, {} unpacked", file.len(), most);
        assert!(peak <= most_memory(file.len()));
    }
    let words: Vec<String> = (0..most / 4).map(|n| format!("{n:x}")).collect();
    let file = with_network(TinyModel::Lstm, "/lexicon", &json!({ "Words": words }));
    let (_, peak) = load(&file);
    println!("words: {peak} bytes for a file of {}", file.len());
    assert!(peak <= most_memory(file.len()));
}

#[test]
fn the_models_in_the_box_take_a_few_times_their_size() {
    let _turn = TURN.lock();
    for name in [tracebank::DEFAULT_MODEL, tracebank::FAST_MODEL] {
        let file = tracebank::embedded_model(name).unwrap().unwrap();
        let before = USED.load(Relaxed);
        PEAK.store(before, Relaxed);
        let _parser = Parser::with_model(&file).unwrap();
        let peak = PEAK.load(Relaxed) - before;
        println!("{name}: {peak} bytes for a file of {}", file.len());
        assert!(peak < 4 * file.len(), "{name}: {peak} bytes for a file of {}", file.len());
    }
}

/// A program does not compare its own models each time that it starts; so they are compared here.
#[test]
fn the_models_in_the_box_are_what_was_written() {
    let _turn = TURN.lock();
    for name in [tracebank::DEFAULT_MODEL, tracebank::FAST_MODEL] {
        tracebank::embedded_model(name).unwrap().unwrap().verify().unwrap();
        assert!(ModelFile::open(tracebank::embedded_bytes(name).unwrap()).is_ok());
    }
}

/// Damage where no parse looks is damage too.
#[test]
fn every_changed_byte_is_noticed_on_opening() {
    let _turn = TURN.lock();
    let bytes = TinyModel::Linear.bytes();
    for place in (0..bytes.len()).step_by(7) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 0x10;
        assert!(Parser::from_bytes(damaged).is_err(), "byte {place}");
    }
}

#[cfg(unix)]
#[test]
fn only_a_regular_file_is_read() {
    let _turn = TURN.lock();
    let folder = std::env::temp_dir().join(format!("tracebank-untrusted-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let pipe = folder.join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let large = folder.join("large");
    std::fs::File::create(&large).unwrap().set_len(3 << 30).unwrap();
    let [cut, missing, whole] = ["cut", "missing", "whole"].map(|name| folder.join(name));
    let bytes = TinyModel::Linear.bytes();
    std::fs::write(&cut, &bytes[..bytes.len() / 2]).unwrap();
    std::fs::write(&whole, &bytes).unwrap();
    let message =
        |path: &std::path::Path| Parser::open(path).err().map(|error| error.to_string()).unwrap_or_default();
    for path in [&pipe, &folder, &"/dev/zero".into()] {
        assert!(message(path).contains("not a regular file"), "{}", message(path));
    }
    assert!(message(&large).contains("larger than"), "{}", message(&large));
    assert!(message(&cut).contains("cut off"), "{}", message(&cut));
    assert!(message(&missing).contains("No such file"), "{}", message(&missing));
    assert_eq!(message(&whole), "");
    std::fs::remove_dir_all(&folder).unwrap();
}
