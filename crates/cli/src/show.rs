//! Output forms of `tracebank parse` and `tracebank convert`.

use std::io::{self, IsTerminal as _};
use std::path::Path;

use tracebank::OutputFormat;
pub(crate) use tracebank_page::Form;

use crate::choice::Choice;
use crate::output::promised;
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

/// The endings of files that promise a form.
const ENDINGS: [(&str, OutputFormat); 3] =
    [("json", OutputFormat::Json), ("jsonl", OutputFormat::Json), ("conllu", OutputFormat::Conllu)];

/// The form that the name of a file promises, else an outline for somebody who types a text and looks at the answer, brackets for everything else.
pub(crate) fn usual_form(sources: &[Source], out: Option<&Path>) -> Form {
    let typed = sources.iter().any(|source| matches!(source, Source::Text(_)) || source.is_typed());
    if let Some((_, form)) = out.and_then(|path| promised(path, &ENDINGS)) {
        Form::Format(form)
    } else if typed && out.is_none() && io::stdout().is_terminal() {
        Form::Outline
    } else {
        Form::Format(OutputFormat::Penn)
    }
}
