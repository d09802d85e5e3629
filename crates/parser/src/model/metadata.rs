//! Metadata: the sections that every model has.

use super::settings::check_settings;
use super::{ModelError, ModelFile, ModelWriter};
use crate::decode::Settings;
use crate::functions::FunctionTable;
use crate::gold::RestorationTable;
use crate::rules::RuleSet;
use crate::spine_tags::SpineTags;
use crate::valency::Valency;
use crate::vocabulary::{Names, Vocabulary};

/// The most dialects of a model; the project knows about ten.
const MOST_DIALECTS: usize = 256;

/// The metadata of a model: everything that was learnt beside the weights of the scorer.
#[derive(Clone, PartialEq, Debug)]
pub struct Metadata {
    /// The labels to choose from.
    pub vocabulary: Vocabulary,
    /// All that trees have and analyses do not.
    pub restoration: RestorationTable,
    /// How often phrases are filled; it says nothing in models from before there was such a table.
    pub valency: Valency,
    /// How often spines have each tag, for tags that are given; it says nothing in models from before there was such a table.
    pub spine_tags: SpineTags,
    /// The rules that derive every answer; all of them, unless the recipe restricted them.
    pub rules: Option<RuleSet>,
    /// The settings of the decoder, as they were tuned.
    pub settings: Settings,
    /// The dialects that the model knows.
    pub dialects: Vec<String>,
}

impl Metadata {
    /// Adds the sections of this metadata.
    pub fn write(&self, writer: &mut ModelWriter) -> Result<(), ModelError> {
        writer.json("names", self.vocabulary.names())?;
        writer.text("places", &self.restoration.places.to_string());
        writer.json("functions", &self.restoration.functions)?;
        writer.json("valency", &self.valency)?;
        writer.json("spine tags", &self.spine_tags)?;
        if let Some(rules) = &self.rules {
            writer.text("rules", rules.file());
        }
        writer.json("settings", &self.settings)?;
        writer.json("conventions", &self.dialects)
    }

    /// Reads them back. The file may come from anywhere: what no parser could work with is an error.
    pub fn read(file: &ModelFile<'_>) -> Result<Metadata, ModelError> {
        let names: Names = file.json("names")?;
        let lists = [&names.tags, &names.spines, &names.functions, &names.attachments];
        if lists.iter().any(|list| list.is_empty()) {
            return Err(ModelError::section("names", "a list that every parser needs is empty"));
        }
        let vocabulary = Vocabulary::new(names).map_err(|error| ModelError::section("names", error))?;
        let places = file.text("places")?.parse().map_err(|error| ModelError::section("places", error))?;
        let functions: FunctionTable = file.json("functions")?;
        if !functions.is_sound() {
            return Err(ModelError::section("functions", "it has function tags that no label can have"));
        }
        let settings = file.json("settings")?;
        check_settings(&settings).map_err(|reason| ModelError::section("settings", reason))?;
        let restoration = RestorationTable { places, functions };
        let valency = if file.has("valency") { file.json("valency")? } else { Valency::default() };
        let spine_tags = if file.has("spine tags") { file.json("spine tags")? } else { SpineTags::default() };
        let rules = file.has("rules").then(|| {
            RuleSet::parse(&file.text("rules")?).map_err(|error| ModelError::section("rules", error))
        });
        let (rules, dialects) = (rules.transpose()?, Metadata::dialects(file)?);
        Ok(Metadata { vocabulary, restoration, valency, spine_tags, rules, settings, dialects })
    }

    /// The dialects alone.
    pub fn dialects(file: &ModelFile<'_>) -> Result<Vec<String>, ModelError> {
        let dialects: Vec<String> = file.json("conventions")?;
        if dialects.len() > MOST_DIALECTS {
            return Err(ModelError::section("conventions", "there are too many"));
        }
        Ok(dialects)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        let list = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        Names {
            tags: list(&["NN", "VB"]),
            spines: list(&["NP", "VP S(NP(*))"]),
            functions: list(&["", "-SBJ", "-SBJ-()-()"]),
            attachments: list(&["NP#0", "S#0"]),
            traces: list(&["(NP *)#0 > NP#0"]),
            obliged: list(&["*"]),
        }
    }

    const RULES: &str = "class 1ec-graph+structural\n";

    fn metadata(names: Names) -> Metadata {
        let functions = serde_json::from_str(r#"{"S NP *":{"-SBJ":3}}"#).unwrap();
        let places = "null\t(NP(*))\t1\t2\n".parse().unwrap();
        Metadata {
            vocabulary: Vocabulary::new(names).unwrap(),
            restoration: RestorationTable { places, functions },
            valency: Valency::default(),
            spine_tags: SpineTags::default(),
            rules: Some(RuleSet::parse(RULES).unwrap()),
            settings: Settings { spine: 1.5, ..Settings::default() },
            dialects: vec!["penn".to_owned()],
        }
    }

    /// The metadata with one section replaced.
    fn read(section: &str, text: &str) -> Result<Metadata, ModelError> {
        let mut whole = ModelWriter::default();
        metadata(names()).write(&mut whole)?;
        let (whole, mut writer) = (whole.finish(), ModelWriter::default());
        let whole = ModelFile::open(&whole[..])?;
        for info in whole.sections() {
            if info.name == section { writer.text(section, text) } else { writer.copy(&whole, &info.name)? }
        }
        Metadata::read(&ModelFile::open(writer.finish())?)
    }

    #[test]
    fn metadata_comes_back() {
        assert_eq!(read("no section", "").unwrap(), metadata(names()));
    }

    #[test]
    fn a_list_that_is_needed_may_not_be_empty_and_traces_may() {
        type Case = (fn(&mut Names), bool);
        let cases: [Case; 6] = [
            (|names| names.tags.clear(), false),
            (|names| names.spines.clear(), false),
            (|names| names.functions.clear(), false),
            (|names| names.attachments.clear(), false),
            (|names| names.traces.clear(), true),
            (|names| names.obliged.clear(), true),
        ];
        for (change, is_sound) in cases {
            let mut names = names();
            change(&mut names);
            assert_eq!(read("names", &serde_json::to_string(&names).unwrap()).is_ok(), is_sound);
        }
    }

    #[test]
    fn every_section_is_looked_at() {
        for (section, text) in [
            ("names", "{}"),
            ("places", "no line"),
            ("functions", r#"{"S NP *":{"SBJ":3}}"#),
            ("functions", r#"{"S NP *":{"-SBJ":3},"S NP *T*":{"-S BJ":3}}"#),
            ("valency", "[[1]]"),
            ("spine tags", "[[1]]"),
            ("rules", "class 1ec-graph\n"),
            ("settings", r#"{"spine":-1}"#),
            ("conventions", "3"),
        ] {
            let error = read(section, text).unwrap_err().to_string();
            assert!(error.contains(&format!("section {section:?}")), "{error}");
        }
        let dialects = |count| serde_json::to_string(&vec!["penn"; count]).unwrap();
        assert_eq!(read("conventions", &dialects(MOST_DIALECTS)).unwrap().dialects.len(), MOST_DIALECTS);
        assert!(read("conventions", &dialects(MOST_DIALECTS + 1)).is_err());
    }
}
