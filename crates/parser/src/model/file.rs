//! Reading and writing the container.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs::{File, Metadata};
use std::io::{Read, Write};
use std::ops::{Deref, Range};
use std::path::Path;

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::ModelError;

const MAGIC: &[u8; 8] = b"tracebnk";
/// The version of the format that is written, and the only one that is read.
pub const VERSION: u32 = 1;
const HASH: usize = blake3::OUT_LEN;
/// Magic, version and the length of the index.
const PREAMBLE: usize = MAGIC.len() + 8;
/// The most bytes of a file. The models in the box have 24 million.
pub const MOST_BYTES: u64 = 2 << 30;
/// The most sections. A model has seven to ten.
const MOST_SECTIONS: usize = 64;

/// The most bytes that all sections of a file have together when they are unpacked: a small file cannot ask for much memory.
fn most_unpacked(file: u64) -> u64 {
    4 * file.min(MOST_BYTES) + (4 << 20)
}

/// An entry of the index: one section.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SectionInfo {
    /// Its name.
    pub name: String,
    /// Its bytes in the file.
    pub packed: u64,
    /// Its bytes when it is unpacked; as many if it is stored as it is.
    pub full: u64,
    /// BLAKE3 of its bytes in the file, in hexadecimal.
    pub blake3: String,
}

impl SectionInfo {
    /// Whether it is stored in another form: what packing does not shorten is stored as it is, and equal lengths tell so.
    fn is_packed(&self) -> bool {
        self.full != self.packed
    }
}

/// A model in memory.
#[derive(Clone, Debug)]
pub struct ModelFile<'a> {
    bytes: Bytes<'a>,
    index: Vec<(SectionInfo, Range<usize>)>,
}

/// The bytes of a model, by where they come from.
#[derive(Clone, Debug)]
enum Bytes<'a> {
    /// A part of the program.
    BuiltIn(&'static [u8]),
    /// From anywhere else.
    Given(Cow<'a, [u8]>),
}

impl Deref for Bytes<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::BuiltIn(bytes) => bytes,
            Bytes::Given(bytes) => bytes,
        }
    }
}

impl<'a> ModelFile<'a> {
    /// The model in `bytes`, all of which are compared with their checksums. A checksum tells damage and no malice: whoever makes a file makes
    /// its checksums too, so nothing in a section is believed either.
    ///
    /// ```
    /// use tracebank_parser::model::{ModelError, ModelFile, ModelWriter};
    /// let mut writer = ModelWriter::default();
    /// writer.json("about", &"a test")?;
    /// writer.bytes("weights", vec![1, 2, 3]);
    /// let bytes = writer.finish();
    /// let model = ModelFile::open(&bytes[..])?;
    /// assert_eq!(model.json::<String>("about")?, "a test");
    /// assert_eq!(&*model.section("weights")?, [1, 2, 3]);
    /// assert!(matches!(ModelFile::open(&bytes[..bytes.len() - 1]), Err(ModelError::Truncated(_))));
    /// assert!(matches!(ModelFile::open(&b"PK"[..]), Err(ModelError::Foreign)));
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn open(bytes: impl Into<Cow<'a, [u8]>>) -> Result<ModelFile<'a>, ModelError> {
        let model = ModelFile::indexed(Bytes::Given(bytes.into()))?;
        model.compare()?;
        Ok(model)
    }

    /// A model that is a part of the program, as its code is. Only the index is compared with its checksum: the sections lie beside the code that would
    /// compare them, in a file whose damage no program can tell from inside, and a test of whoever builds one in compares them once
    /// ([`ModelFile::verify`]).
    pub fn built_in(bytes: &'static [u8]) -> Result<ModelFile<'static>, ModelError> {
        ModelFile::indexed(Bytes::BuiltIn(bytes))
    }

    fn indexed(bytes: Bytes<'a>) -> Result<ModelFile<'a>, ModelError> {
        if !bytes.starts_with(MAGIC) {
            return Err(ModelError::Foreign);
        }
        if bytes.len() as u64 > MOST_BYTES {
            return Err(ModelError::TooLarge { most: MOST_BYTES });
        }
        let number = |at: usize| {
            let field = bytes[at..].first_chunk().copied();
            field.map(u32::from_le_bytes).ok_or(ModelError::Truncated("there is no version"))
        };
        let version = number(MAGIC.len())?;
        if version != VERSION {
            return Err(ModelError::Version { found: version, known: VERSION });
        }
        let index_end = PREAMBLE.saturating_add(number(MAGIC.len() + 4)? as usize);
        let hash = bytes.get(index_end..).and_then(|rest| rest.first_chunk::<HASH>());
        let hash = hash.ok_or(ModelError::Truncated("it ends within its index"))?;
        if blake3::hash(&bytes[..index_end]).as_bytes() != hash {
            return Err(ModelError::Damaged("the index".to_owned()));
        }
        let sections = index(&bytes[PREAMBLE..index_end])?;
        let mut start = index_end + HASH;
        let mut index = Vec::with_capacity(sections.len());
        for section in sections {
            let packed = usize::try_from(section.packed).ok().and_then(|length| bytes[start..].get(..length));
            let packed = packed.ok_or(ModelError::Truncated("sections are missing"))?;
            index.push((section, start..start + packed.len()));
            start += packed.len();
        }
        if start < bytes.len() {
            return Err(ModelError::Damaged("the end: there is more than the index names".to_owned()));
        }
        let full = index.iter().fold(0_u64, |sum, (section, _)| sum.saturating_add(section.full));
        if full > most_unpacked(bytes.len() as u64) {
            return Err(ModelError::section(
                "index",
                format_args!("its sections unpack to {full} bytes, too many"),
            ));
        }
        Ok(ModelFile { bytes, index })
    }

    /// Compares all sections with their checksums.
    fn compare(&self) -> Result<(), ModelError> {
        let damaged = self.index.iter().find(|(section, place)| {
            blake3::hash(&self.bytes[place.clone()]).to_hex().as_str() != section.blake3
        });
        match damaged {
            Some((section, _)) => Err(ModelError::Damaged(format!("section {:?}", section.name))),
            None => Ok(()),
        }
    }

    /// The model in the file at `path`. A folder, a device or a pipe is refused before a byte is read, and so is a file that is too large.
    pub fn read(path: &Path) -> Result<ModelFile<'static>, ModelError> {
        // Opening a pipe would wait for its writer, so the name is looked at first, and what was opened once more.
        let is_file =
            |metadata: Metadata| if metadata.is_file() { Ok(metadata) } else { Err(ModelError::NoFile) };
        is_file(std::fs::metadata(path)?)?;
        let file = File::open(path)?;
        let length = is_file(file.metadata()?)?.len();
        if length > MOST_BYTES {
            return Err(ModelError::TooLarge { most: MOST_BYTES });
        }
        let mut bytes = Vec::with_capacity(length as usize);
        file.take(length).read_to_end(&mut bytes)?;
        ModelFile::open(bytes)
    }

    /// The entries of the index.
    pub fn sections(&self) -> impl Iterator<Item = &SectionInfo> {
        self.index.iter().map(|(section, _)| section)
    }

    /// Whether there is such a section.
    pub fn has(&self, name: &str) -> bool {
        self.sections().any(|section| section.name == name)
    }

    /// The bytes of a section, unpacked.
    pub fn section(&self, name: &str) -> Result<Cow<'_, [u8]>, ModelError> {
        let (section, packed) = self.packed(name)?;
        unpacked(packed, section)
    }

    /// The bytes of a section that need no unpacking and last as long as the program, whatever becomes of this.
    pub fn lasting(&self, name: &str) -> Option<&'static [u8]> {
        let Bytes::BuiltIn(bytes) = self.bytes else { return None };
        let (_, place) =
            self.index.iter().find(|(section, _)| section.name == name && !section.is_packed())?;
        Some(&bytes[place.clone()])
    }

    /// A section as it is stored.
    fn packed(&self, name: &str) -> Result<(&SectionInfo, &[u8]), ModelError> {
        let found = self.index.iter().find(|(section, _)| section.name == name);
        let (section, place) = found.ok_or_else(|| ModelError::Missing(name.to_owned()))?;
        Ok((section, &self.bytes[place.clone()]))
    }

    /// A section that is text.
    pub fn text(&self, name: &str) -> Result<String, ModelError> {
        String::from_utf8(self.section(name)?.into_owned()).map_err(|error| ModelError::section(name, error))
    }

    /// A section that is JSON.
    pub fn json<T: DeserializeOwned>(&self, name: &str) -> Result<T, ModelError> {
        serde_json::from_slice(&self.section(name)?).map_err(|error| ModelError::section(name, error))
    }

    /// Checks that every section has the bytes that were written, and unpacks to what the index says.
    pub fn verify(&self) -> Result<(), ModelError> {
        self.compare()?;
        self.index.iter().try_for_each(|(section, _)| self.section(&section.name).map(drop))
    }

    /// BLAKE3 of the whole file, in hexadecimal.
    pub fn checksum(&self) -> String {
        blake3::hash(&self.bytes).to_hex().to_string()
    }

    /// The length of the whole file.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Never: there is always the preamble.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
}

/// The bytes of a section. There are never more than the index says, which was compared with the length of the file.
fn unpacked<'p>(packed: &'p [u8], section: &SectionInfo) -> Result<Cow<'p, [u8]>, ModelError> {
    if !section.is_packed() {
        return Ok(Cow::Borrowed(packed));
    }
    let mut full = Vec::with_capacity(section.full as usize);
    let read = DeflateDecoder::new(packed).take(section.full + 1).read_to_end(&mut full);
    read.map_err(|error| ModelError::section(&section.name, error))?;
    if full.len() as u64 != section.full {
        return Err(ModelError::section(&section.name, "its length is not what the index says"));
    }
    Ok(Cow::Owned(full))
}

/// The sections that the lines of an index name.
fn index(lines: &[u8]) -> Result<Vec<SectionInfo>, ModelError> {
    let wrong = |reason: &dyn std::fmt::Display| ModelError::section("index", reason);
    let lines = lines.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    let mut sections: Vec<SectionInfo> = Vec::new();
    for line in lines {
        if sections.len() == MOST_SECTIONS {
            return Err(wrong(&"it names too many sections"));
        }
        sections.push(serde_json::from_slice(line).map_err(|error| wrong(&error))?);
    }
    let names: BTreeSet<&str> = sections.iter().map(|section| section.name.as_str()).collect();
    if names.len() < sections.len() {
        return Err(wrong(&"it names a section twice"));
    }
    Ok(sections)
}

/// Collects the sections of a model.
#[derive(Clone, Debug, Default)]
pub struct ModelWriter {
    sections: Vec<(SectionInfo, Vec<u8>)>,
}

impl ModelWriter {
    /// Adds a section that is stored as it is.
    pub fn bytes(&mut self, name: &str, bytes: Vec<u8>) {
        self.add(name, bytes.len(), bytes);
    }

    /// Adds a section of another file as it is.
    pub fn copy(&mut self, file: &ModelFile<'_>, name: &str) -> Result<(), ModelError> {
        let (info, packed) = file.packed(name)?;
        self.sections.push((info.clone(), packed.to_vec()));
        Ok(())
    }

    /// Adds a section of text, which is packed.
    pub fn text(&mut self, name: &str, text: &str) {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        let packed = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish());
        let packed = packed.expect("memory takes all that is written");
        if packed.len() < text.len() {
            self.add(name, text.len(), packed);
        } else {
            self.add(name, text.len(), text.as_bytes().to_vec());
        }
    }

    /// Adds a section of JSON.
    pub fn json<T: Serialize>(&mut self, name: &str, value: &T) -> Result<(), ModelError> {
        let text = serde_json::to_string(value).map_err(|error| ModelError::section(name, error))?;
        self.text(name, &text);
        Ok(())
    }

    fn add(&mut self, name: &str, full: usize, packed: Vec<u8>) {
        let info = SectionInfo {
            name: name.to_owned(),
            packed: packed.len() as u64,
            full: full as u64,
            blake3: blake3::hash(&packed).to_hex().to_string(),
        };
        self.sections.push((info, packed));
    }

    /// The bytes of the file.
    pub fn finish(mut self) -> Vec<u8> {
        let sum =
            |size: fn(&SectionInfo) -> u64| self.sections.iter().map(|(info, _)| size(info)).sum::<u64>();
        // Nothing is written that would not be read: what packs too well is stored as it is.
        if sum(|info| info.full) > most_unpacked(sum(|info| info.packed)) {
            for (info, packed) in std::mem::take(&mut self.sections) {
                match unpacked(&packed, &info).map(Cow::into_owned) {
                    Ok(full) => self.bytes(&info.name, full),
                    // A copy of a damaged section stays what it is.
                    Err(_) => self.sections.push((info, packed)),
                }
            }
        }
        let mut index = Vec::new();
        for (info, _) in &self.sections {
            serde_json::to_writer(&mut index, info).expect("an index line is JSON");
            index.push(b'\n');
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((index.len() as u32).to_le_bytes());
        bytes.extend(index);
        bytes.extend(blake3::hash(&bytes).as_bytes());
        self.sections.iter().for_each(|(_, packed)| bytes.extend(packed));
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Vec<u8> {
        let mut writer = ModelWriter::default();
        writer.text("names", &"NP VP S ".repeat(50));
        writer.bytes("weights", (0..=255).collect());
        writer.finish()
    }

    #[test]
    fn what_is_built_in_is_compared_when_somebody_asks() {
        let sound: &'static [u8] = sample().leak();
        let model = ModelFile::built_in(sound).unwrap();
        assert!(model.verify().is_ok());
        assert_eq!(model.lasting("weights"), Some(&sound[sound.len() - 256..]));
        assert_eq!((model.lasting("names"), model.lasting("none")), (None, None), "packed, and not there");
        assert_eq!(ModelFile::open(sound).unwrap().lasting("weights"), None, "nobody said how long it lasts");
        let mut damaged = sample();
        *damaged.last_mut().unwrap() ^= 1;
        let model = ModelFile::built_in(damaged.leak()).unwrap();
        assert!(matches!(model.verify(), Err(ModelError::Damaged(section)) if section.contains("weights")));
    }

    #[test]
    fn every_cut_and_every_changed_byte_is_noticed() {
        let bytes = sample();
        assert!(ModelFile::open(&bytes[..]).unwrap().verify().is_ok());
        for length in 0..bytes.len() {
            assert!(ModelFile::open(&bytes[..length]).is_err(), "cut to {length}");
        }
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 0x40;
            let verdict = ModelFile::open(&damaged[..]).and_then(|model| model.verify());
            assert!(verdict.is_err(), "byte {place} changed");
        }
    }

    #[test]
    fn a_newer_version_is_told_by_name() {
        let mut bytes = sample();
        bytes[8] = 2;
        let error = ModelFile::open(&bytes[..]).unwrap_err();
        assert!(error.to_string().contains("version 2"), "{error}");
    }

    #[test]
    fn lengths_are_not_believed() {
        let index = format!(r#"{{"name":"w","packed":{},"full":1,"blake3":""}}"#, u64::MAX);
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((index.len() as u32).to_le_bytes());
        bytes.extend(index.as_bytes());
        bytes.extend(blake3::hash(&bytes).as_bytes());
        assert!(matches!(ModelFile::open(bytes), Err(ModelError::Truncated(_))));
    }

    #[test]
    fn an_index_names_each_section_once_and_not_too_many() {
        let file = |names: &[String]| {
            let mut writer = ModelWriter::default();
            names.iter().for_each(|name| writer.bytes(name, vec![1]));
            writer.finish()
        };
        let mut names: Vec<String> = (0..MOST_SECTIONS).map(|n| n.to_string()).collect();
        assert_eq!(ModelFile::open(file(&names)).unwrap().sections().count(), MOST_SECTIONS);
        names.push("one more".to_owned());
        assert!(ModelFile::open(file(&names)).unwrap_err().to_string().contains("too many sections"));
        let twice = ["a", "b", "a"].map(str::to_owned);
        assert!(ModelFile::open(file(&twice)).unwrap_err().to_string().contains("twice"));
    }

    #[test]
    fn what_packs_too_well_is_stored_as_it_is() {
        let file = |length: usize| {
            let mut writer = ModelWriter::default();
            writer.text("blank", &" ".repeat(length));
            writer.bytes("weights", vec![1, 2, 3]);
            writer.finish()
        };
        // Four times the packed bytes and four million are allowed.
        let packed = file(4 << 20);
        let packed = file((4 << 20) + 2 * packed.len());
        assert!(packed.len() < 1 << 16);
        let stored = file((4 << 20) + 4 * packed.len());
        assert!(stored.len() > 4 << 20);
        for bytes in [&packed, &stored] {
            let file = ModelFile::open(&bytes[..]).unwrap();
            file.verify().unwrap();
            assert!(file.text("blank").unwrap().chars().all(|c| c == ' '));
            assert_eq!((&*file.section("weights").unwrap(), file.len()), (&[1, 2, 3][..], bytes.len()));
            assert!(!file.is_empty() && file.has("blank") && !file.has("black"));
        }
    }

    #[test]
    fn text_that_packing_leaves_as_long_as_it_was_comes_back() {
        // What repeats gets shorter, and a letter with an accent longer: some of these keep their length, which tells a section that is stored.
        for accents in 0..16 {
            let mut writer = ModelWriter::default();
            let text: String = "aaaaaa".chars().chain(('à'..).take(accents)).collect();
            writer.text("text", &text);
            assert_eq!(ModelFile::open(writer.finish()).unwrap().text("text").unwrap(), text);
        }
    }

    #[test]
    fn no_more_is_unpacked_than_the_length_of_the_file_allows() {
        let file = |full: u64| {
            let mut writer = ModelWriter::default();
            writer.text("names", &"NP VP S ".repeat(50));
            writer.sections[0].0.full = full;
            writer.finish()
        };
        let most = most_unpacked(file(4 << 20).len() as u64);
        assert!(ModelFile::open(file(most)).is_ok());
        for full in [most + 1, 2 * most] {
            let error = ModelFile::open(file(full)).unwrap_err().to_string();
            assert!(error.contains("bytes, too many"), "{error}");
        }
    }

    #[test]
    fn bytes_that_are_too_many_or_that_no_section_has_are_refused() {
        let mut longer = sample();
        longer.push(0);
        assert!(matches!(ModelFile::open(longer), Err(ModelError::Damaged(place)) if place.contains("end")));
        // The system gives pages of zeros only where somebody looks, so this takes little memory.
        let mut large = vec![0; MOST_BYTES as usize + 1];
        large[..MAGIC.len()].copy_from_slice(MAGIC);
        assert!(matches!(ModelFile::open(&large[..]), Err(ModelError::TooLarge { .. })));
        large.pop();
        assert!(matches!(ModelFile::open(large), Err(ModelError::Version { found: 0, .. })));
    }

    #[test]
    fn a_copied_section_is_as_it_was() {
        let bytes = sample();
        let file = ModelFile::open(&bytes[..]).unwrap();
        let mut writer = ModelWriter::default();
        file.sections().for_each(|section| writer.copy(&file, &section.name).unwrap());
        assert_eq!(writer.finish(), bytes);
        assert_eq!(file.checksum(), blake3::hash(&bytes).to_hex().to_string());
        assert!(matches!(ModelWriter::default().copy(&file, "x"), Err(ModelError::Missing(_))));
    }

    #[test]
    fn a_section_that_is_longer_or_shorter_than_its_index_says_is_refused() {
        let mut file = ModelWriter::default();
        file.text("names", &"NP VP S ".repeat(50));
        for full in [399, 401] {
            let mut wrong = file.clone();
            wrong.sections[0].0.full = full;
            let bytes = wrong.finish();
            let error = ModelFile::open(&bytes[..]).unwrap().verify().unwrap_err().to_string();
            assert!(error.contains("not what the index says"), "{error}");
        }
        let mut no_text = ModelWriter::default();
        no_text.bytes("names", vec![0xff]);
        assert!(ModelFile::open(no_text.finish()).unwrap().text("names").is_err());
    }

    #[test]
    fn only_regular_files_that_are_not_too_large_are_read() {
        let folder = std::env::temp_dir().join(format!("tracebank-model-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let [good, large] = ["good", "large"].map(|name| folder.join(name));
        std::fs::write(&good, sample()).unwrap();
        File::create(&large).unwrap().set_len(MOST_BYTES + 1).unwrap();
        assert_eq!(ModelFile::read(&good).unwrap().len(), sample().len());
        assert!(matches!(ModelFile::read(&large), Err(ModelError::TooLarge { .. })));
        // As large as may be, but no model.
        File::options().write(true).open(&large).unwrap().set_len(1 << 20).unwrap();
        assert!(matches!(ModelFile::read(&large), Err(ModelError::Foreign)));
        assert!(matches!(ModelFile::read(&folder), Err(ModelError::NoFile)));
        assert!(matches!(ModelFile::read(&folder.join("none")), Err(ModelError::Io(_))));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
