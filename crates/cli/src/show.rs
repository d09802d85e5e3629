//! Output forms of `tracebank parse` and `tracebank convert`.

use std::io::{self, IsTerminal as _};

use tracebank::OutputFormat;
pub(crate) use tracebank_page::Form;

use crate::choice::Choice;
use crate::sources::Source;

impl Choice for Form {
    fn all() -> Vec<Form> {
        Form::all().collect()
    }

    fn name(self) -> &'static str {
        self.name()
    }

    fn description(self) -> &'static str {
        self.description()
    }
}

/// An outline for somebody who types a text and looks at the answer, brackets for everything else.
pub(crate) fn usual_form(sources: &[Source], to_file: bool) -> Form {
    let typed = sources.iter().any(|source| matches!(source, Source::Text(_)) || source.is_typed());
    if typed && !to_file && io::stdout().is_terminal() {
        Form::Outline
    } else {
        Form::Format(OutputFormat::Penn)
    }
}
