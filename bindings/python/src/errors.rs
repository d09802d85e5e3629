//! Errors of the library as the exceptions of `tracebank._errors`.

use std::io::ErrorKind;

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tracebank::{Error, PatternError};
use tracebank_syntax::penn::SyntaxError;

/// An exception of the package, by its name there.
fn exception<'py, A>(py: Python<'py>, name: &str, arguments: A) -> PyErr
where
    A: IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
{
    let made = || -> PyResult<PyErr> {
        let class = py.import("tracebank._errors")?.getattr(name)?;
        Ok(PyErr::from_value(class.call1(arguments.into_pyobject(py)?)?))
    };
    made().unwrap_or_else(|error| error)
}

/// A model that cannot be had, or options that it cannot follow.
pub(crate) fn of_model(py: Python<'_>, error: &Error) -> PyErr {
    let message = error.to_string();
    match error {
        Error::Unreadable { path, error } if error.kind() == ErrorKind::NotFound => {
            exception(py, "ModelNotFoundError", (message, path.display().to_string()))
        }
        Error::Unreadable { .. } => PyOSError::new_err(message),
        Error::NotBuiltIn(name) => exception(py, "ModelNotFoundError", (message, name.clone())),
        Error::Dialect { .. } => exception(py, "DialectError", (message,)),
        Error::Threads { .. } => pyo3::exceptions::PyRuntimeError::new_err(message),
        _ => exception(py, "DamagedModelError", (message,)),
    }
}

/// A tree that cannot be read, with its place.
pub(crate) fn of_tree(py: Python<'_>, file: Option<&str>, error: &SyntaxError) -> PyErr {
    let message = file.map_or_else(|| error.to_string(), |file| format!("{file}:{error}"));
    exception(py, "TreeError", (message, file.map(str::to_owned), error.place.line, error.place.column))
}

/// A pattern that is none, with its place in characters.
pub(crate) fn of_pattern(py: Python<'_>, error: &PatternError) -> PyErr {
    let chars = |byte: usize| error.pattern.get(..byte).map_or(0, |before| before.chars().count());
    let (start, end) = (chars(error.span.start), chars(error.span.end));
    exception(py, "PatternError", (error.to_string(), error.pattern.clone(), start, end))
}

/// A value that is none of those that are known.
pub(crate) fn unknown(what: &str, value: &str, known: &[&str]) -> PyErr {
    PyValueError::new_err(format!("there is no {what} {value:?}; there are {}", known.join(", ")))
}
