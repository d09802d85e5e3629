//! Error messages: the place underlined, and what to do about it.

use std::io::{self, Write};
use std::process::ExitCode;

use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, Report,
    SourceCode, SourceSpan, SpanContents,
};
use thiserror::Error;
use tracebank::{BadInput, Excerpt};

/// A bad input, and what can be done about it.
#[derive(Debug, Error)]
#[error("{input}")]
pub(crate) struct Shown {
    pub(crate) input: BadInput,
    pub(crate) help: Option<&'static str>,
}

impl Diagnostic for Shown {
    fn help<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        self.help.map(|help| Box::new(help) as Box<dyn std::fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.input.excerpt.as_ref().map(|_| self as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let excerpt = self.input.excerpt.as_ref()?;
        let here = LabeledSpan::new(Some("here".to_owned()), excerpt.offset, 1);
        Some(Box::new(std::iter::once(here)))
    }
}

/// The line with the place, under its own number.
impl SourceCode for Shown {
    fn read_span<'a>(
        &'a self,
        _: &SourceSpan,
        _: usize,
        _: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let Excerpt { file, place: (line, column), text, .. } =
            self.input.excerpt.as_ref().ok_or(MietteError::OutOfBounds)?;
        let span = SourceSpan::new(0.into(), text.len());
        let contents =
            MietteSpanContents::new_named(file.clone(), text.as_bytes(), span, line - 1, column - 1, 1);
        Ok(Box::new(contents))
    }
}

/// Something that ends the command, in words.
#[derive(Debug, Error, Diagnostic)]
#[error("{0}")]
pub(crate) struct Failure(pub(crate) String);

/// A command line that is wrong in a way that only the command can tell.
#[derive(Debug, Error, Diagnostic)]
#[error("{0}")]
pub(crate) struct Misuse(pub(crate) String);

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
            code(&error)
        }
    }
}

/// The exit code for an error.
pub(crate) fn code(error: &Report) -> ExitCode {
    if error.is::<Misuse>() { ExitCode::from(2) } else { ExitCode::FAILURE }
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

#[cfg(test)]
mod tests {
    use tracebank::InputFormat;

    use super::*;

    fn shown(text: &'static str, format: InputFormat) -> String {
        let (tokeniser, limits) = (tracebank::Tokeniser::default(), tracebank::Limits::default());
        let mut inputs = tracebank::read(Box::new(text.as_bytes()), "f", format, tokeniser, limits);
        let bad = inputs.find_map(|input| input.unwrap().sentence.err()).unwrap();
        render(&Shown { input: bad, help: None }.into())
    }

    #[test]
    fn the_place_is_underlined_in_every_form() {
        for (text, format, line, header) in [
            ("a_B\nthe_DT dog runs_VBZ\n", InputFormat::Tagged, " 2 │ the_DT dog runs_VBZ", "[f:2:8]"),
            ("{\"tokens\": [1]}\n", InputFormat::Jsonl, " 1 │ {\"tokens\": [1]}", "[f:1:1]"),
            ("(S (N a))\n(S (N b)\n", InputFormat::Penn, " 2 │ (S (N b)", "[f:2:1]"),
        ] {
            let shown = shown(text, format);
            let lines: Vec<&str> = shown.lines().map(str::trim_end).collect();
            let at = lines.iter().position(|&shown| shown == line).unwrap_or_else(|| panic!("{shown}"));
            assert!(shown.contains(header), "{shown}");
            let column: usize = header.trim_end_matches(']').rsplit(':').next().unwrap().parse().unwrap();
            let mark = lines[at + 1].chars().position(|c| c == '┬').unwrap();
            assert_eq!(mark, line.chars().position(|c| c == '│').unwrap() + 1 + column, "{shown}");
        }
    }
}
