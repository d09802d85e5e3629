//! The parser itself.

use std::borrow::Cow;
use std::path::Path;

use tracebank_parser::decode::Settings;
use tracebank_parser::model::ModelFile;
use tracebank_parser::outcome::Outcome;
use tracebank_parser::pipeline::{self, Metadata, Scorer};
use tracebank_syntax::dialect::{self, Dialect, Plan, Rewrite};
use tracebank_text::{Sentence, Tokeniser};

use crate::error::Error;
use crate::load;
use crate::models::{DEFAULT_MODEL, FAST_MODEL, embedded_model, read_model};
use crate::options::Options;
use crate::parse::Parse;

/// From text to trees. It is made once, which takes a moment, and can then be shared by threads.
pub struct Parser {
    pipeline: pipeline::Parser<Box<dyn Scorer>>,
    /// The settings the model was tuned for.
    learnt: Settings,
    options: Options,
    asked: pipeline::Options,
    rewrites: Vec<Rewrite>,
    tokeniser: Tokeniser,
}

impl Parser {
    /// The parser with the model that comes with the crate.
    pub fn embedded() -> Result<Parser, Error> {
        Parser::named(DEFAULT_MODEL)
    }

    /// The parser with the smaller model that comes with the crate: faster, and not quite as accurate.
    pub fn fast() -> Result<Parser, Error> {
        Parser::named(FAST_MODEL)
    }

    fn named(name: &str) -> Result<Parser, Error> {
        Parser::with_model(&embedded_model(name).expect("a name of the table")?)
    }

    /// The parser with the model in a file.
    pub fn open(path: impl AsRef<Path>) -> Result<Parser, Error> {
        let path = path.as_ref();
        Parser::with_model(&read_model(path)?).map_err(|error| match error {
            Error::Model(error) => Error::File { path: path.to_owned(), error },
            other => other,
        })
    }

    /// The parser with the model in memory.
    pub fn from_bytes<'a>(bytes: impl Into<Cow<'a, [u8]>>) -> Result<Parser, Error> {
        Parser::with_model(&ModelFile::open(bytes)?)
    }

    /// The parser with an opened model.
    pub fn with_model(file: &ModelFile<'_>) -> Result<Parser, Error> {
        let metadata = Metadata::read(file)?;
        let scorer = load::read_scorer(file, &metadata.vocabulary)?;
        Ok(Parser::with_scorer(metadata, scorer))
    }

    /// A parser with a scorer of your own, which must know the vocabulary in `metadata`.
    pub fn with_scorer(metadata: Metadata, scorer: Box<dyn Scorer>) -> Parser {
        let learnt = metadata.settings;
        let plan = Plan::usual(&metadata.dialects);
        let pipeline = pipeline::Parser { metadata, scorer };
        let asked = pipeline::Options::default();
        let parser = Parser {
            pipeline,
            learnt,
            options: Options::default(),
            asked,
            rewrites: Vec::new(),
            tokeniser: Tokeniser::default(),
        };
        parser.follow(plan, Options::default())
    }

    /// The same parser, asked for something else. Fails if the model does not know the dialect.
    pub fn with_options(self, options: Options) -> Result<Parser, Error> {
        let dialects = &self.pipeline.metadata.dialects;
        let plan = match &options.dialect {
            None => Plan::usual(dialects),
            Some(wanted) => Plan::of(wanted, dialects)
                .ok_or_else(|| Error::Dialect { wanted: wanted.clone(), known: dialect::known(dialects) })?,
        };
        Ok(self.follow(plan, options))
    }

    fn follow(mut self, plan: Plan, options: Options) -> Parser {
        let optional = [(options.functions, Rewrite::NoFunctions), (options.traces, Rewrite::NoTraces)];
        self.rewrites = plan.rewrites.to_vec();
        self.rewrites.extend(optional.into_iter().filter(|(keep, _)| !keep).map(|(_, rewrite)| rewrite));
        self.asked = pipeline::Options {
            structure: options.structure,
            dialect: plan.dialect,
            max_words: options.max_words,
        };
        self.pipeline.metadata.settings = options.settings(self.learnt);
        let dialect = Dialect::named(options.dialect.as_deref().unwrap_or("penn"));
        self.tokeniser = Tokeniser::new(dialect.map(|dialect| dialect.tokens).unwrap_or_default());
        self.options = options;
        self
    }

    /// What is asked of it.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// What cuts text into tokens as the dialect wants them.
    pub fn tokeniser(&self) -> Tokeniser {
        self.tokeniser
    }

    /// Parses one sentence, whatever full stops are in it.
    pub fn parse(&self, sentence: &str) -> Parse {
        self.one(self.tokeniser.sentence(sentence))
    }

    /// Parses one sentence that is cut into words already; see [`Sentence::of_words`].
    pub fn parse_tokens<W: AsRef<str>>(&self, words: &[W]) -> Parse {
        self.one(Sentence::of_words(words))
    }

    /// Parses every sentence of a running text.
    pub fn parse_text(&self, text: &str) -> Vec<Parse> {
        self.parse_sentences(self.tokeniser.sentences(text))
    }

    /// Parses sentences on all threads of the current rayon pool. The answers are in order, and the same for any number of threads.
    pub fn parse_batch<S: AsRef<str>>(&self, sentences: &[S]) -> Vec<Parse> {
        self.parse_sentences(
            sentences.iter().map(|sentence| self.tokeniser.sentence(sentence.as_ref())).collect(),
        )
    }

    /// The same for sentences that are cut into words and may have tags.
    pub fn parse_sentences(&self, sentences: Vec<Sentence>) -> Vec<Parse> {
        let worded = sentences.iter().filter(|sentence| !sentence.tokens.is_empty());
        let asked: Vec<_> = worded.map(for_pipeline).collect();
        let mut parses = self.pipeline.parse(&asked, &self.asked).into_iter();
        let answer = |sentence: Sentence| {
            if sentence.tokens.is_empty() {
                return Parse::without_tree(sentence, Outcome::Empty);
            }
            let parse = parses.next().expect("every sentence with a word has an answer");
            Parse::new(sentence, parse, &self.rewrites)
        };
        sentences.into_iter().map(answer).collect()
    }

    fn one(&self, sentence: Sentence) -> Parse {
        self.parse_sentences(vec![sentence]).pop().expect("a sentence has an answer")
    }
}

/// A sentence as the pipeline takes it.
fn for_pipeline(sentence: &Sentence) -> pipeline::Sentence {
    let tags = &sentence.tags;
    let tagged = || (0..sentence.tokens.len()).map(|word| tags.get(word).cloned()).collect();
    pipeline::Sentence {
        words: sentence.words().map(str::to_owned).collect(),
        tags: (!tags.is_empty()).then(tagged),
    }
}
