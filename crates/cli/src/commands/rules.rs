//! `tracebank rules`.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use miette::{IntoDiagnostic, Result};
use tracebank_chart::expand::Rules;
use tracebank_chart::{Class, Grammar, explain};
use tracebank_chart_dense::compile::{Array, Program};
use tracebank_chart_dense::{Worker, verify};

use crate::failure::Failure;
use crate::output::Output;
use crate::range::within;

/// The deduction rules: count what they derive, list them, explain them, prove them
#[derive(Args)]
#[command(after_help = "Examples:
  tracebank rules count --class 1ec-graph --words 5
  tracebank rules stats --class 1ec-graph --structural
  tracebank rules explain 4
  tracebank rules verify --words 4")]
pub(crate) struct RulesArguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Print the number of structures the rules derive over a number of words, exactly
    Count {
        #[command(flatten)]
        class: ClassArguments,
        /// How many words, the root apart
        #[arg(long, value_parser = within(0..=1000))]
        words: usize,
    },
    /// List the templates, or what they expand to
    List {
        #[command(flatten)]
        class: ClassArguments,
        /// List the kinds of item instead
        #[arg(long)]
        kinds: bool,
        /// List all rules over those kinds instead
        #[arg(long, conflicts_with = "kinds")]
        expanded: bool,
    },
    /// Count kinds and rules, for each template, before and after compiling
    Stats {
        #[command(flatten)]
        class: ClassArguments,
    },
    /// Explain one template in words
    Explain {
        /// Its number in the paper, with a prime for its mirror image: 4 or 4'
        template: String,
        #[command(flatten)]
        class: ClassArguments,
    },
    /// Compare every class with brute force, up to a number of words
    ///
    /// For every class: derivations against structures tried one by one, and the best structure under random scores
    /// against the best of those. Five words take seconds, six take minutes.
    Verify {
        /// Up to how many words
        #[arg(long, value_parser = within(1..=10))]
        words: usize,
    },
}

/// Which class of structures.
#[derive(Args)]
pub(crate) struct ClassArguments {
    /// The class of structures
    #[arg(long, default_value = "1ec-graph", value_parser = ["projective-tree", "projective-graph", "1ec-tree", "1ec-graph"])]
    class: String,

    /// Every word has exactly one structural parent, and structural edges do not cross
    #[arg(long)]
    structural: bool,

    /// Edges have no direction
    #[arg(long, conflicts_with = "structural")]
    undirected: bool,
}

impl ClassArguments {
    pub(crate) fn class(&self) -> Result<Class> {
        let class: Class = self.class.parse().into_diagnostic()?;
        Ok(match (self.structural, self.undirected) {
            (true, _) => class.with_structural_tree(),
            (_, true) => class.undirected(),
            _ => class,
        })
    }
}

pub(crate) fn run(arguments: &RulesArguments) -> Result<ExitCode> {
    let mut output = Output::stdout();
    let mut code = ExitCode::SUCCESS;
    match &arguments.what {
        What::Count { class, words } => {
            let number =
                Worker::default().count_all(&Grammar::of(class.class()?), *words).into_diagnostic()?;
            output.write(&format!("{number}\n"))?;
        }
        What::List { class, kinds, expanded } => output.write(&list(class.class()?, *kinds, *expanded))?,
        What::Stats { class } => output.write(&stats(class.class()?))?,
        What::Explain { template, class } => output.write(&explain_template(class.class()?, template)?)?,
        What::Verify { words } => {
            for class in Class::ALL {
                for words in 1..=*words {
                    let verdict = verify(class, words).into_diagnostic()?;
                    let (decoded, tried) = verdict.best;
                    let says = if verdict.agrees() { "agrees" } else { "DIFFERS" };
                    output.write(&format!(
                        "{class}\t{words} words\t{} derivations\t{} structures\tbest {decoded:.4}\ttried {tried:.4}\t{says}\n",
                        verdict.derivations, verdict.structures,
                    ))?;
                    if !verdict.agrees() {
                        code = ExitCode::FAILURE;
                    }
                }
            }
        }
    }
    output.finish()?;
    Ok(code)
}

fn list(class: Class, kinds: bool, expanded: bool) -> String {
    let rules = Rules::expand(class);
    let mut text = String::new();
    if kinds {
        for kind in &rules.kinds {
            let _ = writeln!(text, "{kind}");
        }
    } else if expanded {
        for rule in &rules.combinations {
            let _ = writeln!(text, "{}", explain::combination(&rules, rule));
        }
        for rule in &rules.edges {
            let (output, input) = (&rules.kinds[rule.output.index()], &rules.kinds[rule.input.index()]);
            let _ = writeln!(text, "(edge) {output} <- {input} {}", rule.edge);
        }
    } else {
        for template in &rules.templates {
            let _ = writeln!(text, "{}", explain::notation(template));
        }
    }
    text
}

fn stats(class: Class) -> String {
    let rules = Rules::expand(class);
    let grammar = Grammar::new(&rules);
    let (useful, program) = (grammar.rules(), Program::of(&grammar));
    let mut text = format!("class {class}\n\ntemplate\treachable\tuseful\n");
    for (index, template) in rules.templates.iter().enumerate() {
        let of =
            |rules: &Rules| rules.combinations.iter().filter(|rule| rule.template.index() == index).count();
        let _ = writeln!(text, "{}\t{}\t{}", template.name(), of(&rules), of(useful));
    }
    let _ = writeln!(text, "all\t{}\t{}", rules.combinations.len(), useful.combinations.len());
    let _ = writeln!(text, "edges\t{}\t{}", rules.edges.len(), useful.edges.len());
    let _ = writeln!(text, "kinds\t{}\t{}", rules.kinds.len(), useful.kinds.len());
    let _ = writeln!(text, "digest\t{:016x}\t{:016x}", explain::digest(&rules), explain::digest(useful));
    text.push_str("\narray\tentries\n");
    for array in Array::ALL {
        let _ = writeln!(text, "{array:?}\t{}", program.counts[array as usize]);
    }
    text.push_str("\nmap\tproducts\n");
    for (name, map) in program.maps() {
        let _ = writeln!(text, "{name}\t{}", map.forward.len());
    }
    text
}

fn explain_template(class: Class, name: &str) -> Result<String> {
    let rules = Rules::expand(class);
    let wanted = format!("({})", name.trim_matches(['(', ')']));
    let index = rules.templates.iter().position(|template| template.name() == wanted);
    index.and_then(|index| explain::explain(&rules, index)).ok_or_else(|| {
        let names: Vec<String> =
            rules.templates.iter().map(tracebank_chart::template::Template::name).collect();
        Failure(format!("{name:?} is no template of the class {class}; it has {}", names.join(" "))).into()
    })
}
