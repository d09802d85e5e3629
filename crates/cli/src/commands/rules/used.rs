//! `tracebank rules used`: the rules that a treebank needs.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use miette::Result;
use rayon::prelude::*;
use tracebank_chart::decompose::{RuleUse, Stopped};
use tracebank_chart::{Derivation, Grammar, Worker, explain, rule_file};
use tracebank_report::coverage::{Encoder, ROWS, Row};

use super::ClassArguments;
use crate::failure::Failure;
use crate::input::{TreeRead, TreeSource};
use crate::output::{Output, OutputArguments};

/// The arguments of `rules used`.
#[derive(Args)]
pub(crate) struct Used {
    #[command(flatten)]
    source: TreeSource,
    #[command(flatten)]
    class: ClassArguments,
    /// For trees: the row of the coverage table by whose rules a graph is made [default: the last, what our models learn]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=ROWS.len() as i64))]
    row: Option<u8>,
    /// Trees of the same form: list the sentences that need rules which the others do not use
    #[arg(long, value_name = "FILE", num_args = 1..)]
    check: Vec<PathBuf>,
    #[command(flatten)]
    output: OutputArguments,
}

/// The number of sentences that are read before they are derived, all at once, on all cores.
const BATCH: usize = 1024;

impl Used {
    pub(super) fn run(&self) -> Result<()> {
        let mut output = self.output.open()?;
        let census = Census {
            grammar: Grammar::of(self.class.class()?),
            encoder: Encoder::new(self.source.from.dialect()),
            row: &ROWS[self.row.map_or(ROWS.len(), usize::from) - 1],
        };
        let mut uses = RuleUse::new(&census.grammar);
        let counts = census.derive(&self.source, |_, derivation| uses.add(derivation))?;
        if counts.sentences == 0 {
            return Err(Failure("there are no trees to derive".to_owned()).into());
        }
        let mut text = summary(&census.grammar, &uses, counts);
        if !self.check.is_empty() {
            text.push_str(&self.checked(&census, &uses)?);
        }
        let rules = format!("# {}\n{}", census.row.name, rule_file::write(census.grammar.rules(), &uses));
        if self.output.out.is_some() {
            output.write(&rules)?;
            output.finish()?;
            if self.output.path().is_none() {
                return Ok(());
            }
            output = Output::stdout();
        }
        output.write(&text)?;
        output.finish()
    }

    fn checked(&self, census: &Census, uses: &RuleUse) -> Result<String> {
        let (grammar, mut list, mut sentences) = (&census.grammar, String::new(), 0);
        let rules = grammar.rules();
        let mut lacking = RuleUse::new(grammar);
        let TreeSource { from, skip_bad, .. } = self.source;
        let counts = census.derive(
            &TreeSource { files: self.check.clone(), from, skip_bad },
            |sentence, derivation| {
                let (combinations, edges) = uses.lacking(derivation);
                if combinations.is_empty() && edges.is_empty() {
                    return;
                }
                sentences += 1;
                let _ = writeln!(list, "{}, sentence {}", sentence.file, sentence.number);
                for rule in combinations {
                    lacking.combinations[rule.0 as usize] += 1;
                    let _ = writeln!(
                        list,
                        "    {}",
                        explain::combination(rules, &rules.combinations[rule.0 as usize])
                    );
                }
                for rule in edges {
                    lacking.edges[rule.0 as usize] += 1;
                    let _ =
                        writeln!(list, "    {}", explain::edge_rule(rules, &rules.edges[rule.0 as usize]));
                }
            },
        )?;
        let (combinations, edges) = lacking.used();
        Ok(format!(
            "\nchecked: sentences: {}; outside the class: {}; that need other rules: {sentences}; such rules: {}\n{list}",
            counts.sentences,
            counts.outside,
            combinations + edges
        ))
    }
}

/// How sentences are derived.
struct Census {
    grammar: std::sync::Arc<Grammar>,
    encoder: Encoder,
    row: &'static Row,
}

#[derive(Clone, Copy, Default)]
struct Counts {
    sentences: usize,
    outside: usize,
    steps: usize,
}

impl Census {
    /// Hands every derivation to `each`, in the order of the sentences.
    fn derive(&self, source: &TreeSource, mut each: impl FnMut(&TreeRead, &Derivation)) -> Result<Counts> {
        let mut counts = Counts::default();
        let mut batch: Vec<TreeRead> = Vec::with_capacity(BATCH);
        let mut settle = |batch: &[TreeRead]| {
            let derived: Vec<Result<Derivation, Stopped>> = batch
                .par_iter()
                .map_init(Worker::new, |worker, sentence| {
                    sentence.edges_of(&self.encoder, self.row).derivation(worker, &self.grammar)
                })
                .collect();
            for (sentence, derived) in batch.iter().zip(derived) {
                counts.sentences += 1;
                match derived {
                    Ok(derivation) => {
                        counts.steps += derivation.steps.iter().filter(|step| step.is_rule()).count();
                        each(sentence, &derivation);
                    }
                    Err(_) => counts.outside += 1,
                }
            }
        };
        source.for_each(|sentence| {
            batch.push(sentence);
            if batch.len() == BATCH {
                settle(&batch);
                batch.clear();
            }
            Ok(Ok(()))
        })?;
        settle(&batch);
        Ok(counts)
    }
}

fn summary(grammar: &Grammar, uses: &RuleUse, counts: Counts) -> String {
    let rules = grammar.rules();
    let all = rules.combinations.len() + rules.edges.len();
    let (combinations, edges) = uses.used();
    let Counts { sentences, outside, steps } = counts;
    let mut text = format!(
        "class: {}\nsentences: {sentences}; outside the class: {outside}\n\
         rules: {all}; used: {}, {steps} times; combinations: {combinations}; edge rules: {edges}\n\n\
         template\trules\tused\ttimes\n",
        rules.class,
        combinations + edges
    );
    for (index, template) in rules.templates.iter().enumerate() {
        let of_template = rules.combinations.iter().zip(&uses.combinations);
        let times: Vec<u64> =
            of_template.filter(|(rule, _)| rule.template.index() == index).map(|(_, &count)| count).collect();
        row(&mut text, &template.name(), &times);
    }
    row(&mut text, "edge", &uses.edges);
    text
}

fn row(text: &mut String, name: &str, times: &[u64]) {
    let used = times.iter().filter(|&&count| count > 0).count();
    let _ = writeln!(text, "{name}\t{}\t{used}\t{}", times.len(), times.iter().sum::<u64>());
}
