//! How errors are shown: the place underlined, and what to do about it.

use std::io::{self, Write};
use std::process::ExitCode;

use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, Report,
    SourceCode, SourceSpan, SpanContents,
};
use thiserror::Error;
use tracebank_syntax::penn::SyntaxError;

/// A bad tree or graph in a file.
#[derive(Debug, Error)]
#[error("{file}:{error}")]
pub(crate) struct BadInput {
    file: String,
    error: SyntaxError,
}

impl BadInput {
    pub(crate) fn new(file: &str, error: SyntaxError) -> BadInput {
        BadInput { file: file.to_owned(), error }
    }

    fn has_excerpt(&self) -> bool {
        !self.error.excerpt.is_empty()
    }
}

impl Diagnostic for BadInput {
    fn help<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        Some(Box::new("--skip-bad goes on with the next one and says how many were left out"))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.has_excerpt().then_some(self as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let here = LabeledSpan::new(Some("here".to_owned()), self.error.excerpt_offset, 1);
        self.has_excerpt().then(|| Box::new(std::iter::once(here)) as Box<dyn Iterator<Item = LabeledSpan>>)
    }
}

/// The line with the place, under its own number.
impl SourceCode for BadInput {
    fn read_span<'a>(
        &'a self,
        _: &SourceSpan,
        _: usize,
        _: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let excerpt = self.error.excerpt.as_bytes();
        let (line, column) = (self.error.place.line - 1, self.error.place.column - 1);
        let span = SourceSpan::new(0.into(), excerpt.len());
        Ok(Box::new(MietteSpanContents::new_named(self.file.clone(), excerpt, span, line, column, 1)))
    }
}

/// Something that ends the command, in words.
#[derive(Debug, Error, Diagnostic)]
#[error("{0}")]
pub(crate) struct Failure(pub(crate) String);

/// Nobody reads what is written any more (`tracebank … | head`): no reason to complain.
#[derive(Debug, Error, Diagnostic)]
#[error("the output was closed")]
pub(crate) struct OutputClosed;

/// A failed write as an error to report.
pub(crate) fn write_failure(error: &io::Error) -> Report {
    if error.kind() == io::ErrorKind::BrokenPipe {
        OutputClosed.into()
    } else {
        Failure(format!("the output could not be written: {error}")).into()
    }
}

/// Shows what went wrong, if anything did.
pub(crate) fn report(result: miette::Result<ExitCode>) -> ExitCode {
    match result {
        Ok(code) => code,
        Err(error) if error.is::<OutputClosed>() => ExitCode::SUCCESS,
        Err(error) => {
            say(&render(&error));
            ExitCode::FAILURE
        }
    }
}

/// An error as text for the terminal, or for a file if that is where it goes.
pub(crate) fn render(error: &Report) -> String {
    let theme = if io::IsTerminal::is_terminal(&io::stderr()) {
        GraphicalTheme::unicode()
    } else {
        GraphicalTheme::unicode_nocolor()
    };
    let mut text = String::new();
    match GraphicalReportHandler::new_themed(theme).render_report(&mut text, error.as_ref()) {
        Ok(()) => text,
        Err(_) => error.to_string(),
    }
}

/// A line on standard error; if that is gone too, there is nobody left to tell.
pub(crate) fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{}", text.trim_end());
}
