//! Values of the command line that the libraries define: each choice with its name and its description.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use tracebank::{InputFormat, OutputFormat};
use tracebank_syntax::class::Structure;

/// One of a list of named things.
pub(crate) trait Choice: Copy + Send + Sync + 'static {
    /// The list, in the order of the help text.
    fn all() -> Vec<Self>;

    /// The name on the command line.
    fn name(self) -> &'static str;

    /// The line of the help text.
    fn description(self) -> &'static str;
}

macro_rules! choices {
    ($($name:ty),*) => {$(
        impl Choice for $name {
            fn all() -> Vec<Self> {
                Self::ALL.to_vec()
            }

            fn name(self) -> &'static str {
                self.name()
            }

            fn description(self) -> &'static str {
                self.description()
            }
        }
    )*};
}

choices!(InputFormat, OutputFormat, Structure);

/// The parser of an argument that is one of the choices.
pub(crate) fn one_of<C: Choice>() -> impl TypedValueParser<Value = C> {
    let values =
        C::all().into_iter().map(|choice| PossibleValue::new(choice.name()).help(choice.description()));
    PossibleValuesParser::new(values).map(|name| {
        let named = |choice: &C| choice.name() == name;
        C::all().into_iter().find(named).expect("clap lets only the names of the list through")
    })
}
