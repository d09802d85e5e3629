//! Paths in a recipe: relative to the recipe's folder, or to a folder that a variable of the environment names.
//!
//! A recipe is read on other machines than the one it was written on, and is stored in the model that it makes. So a path stays as it is
//! written, and is resolved only when it is used.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A path as a recipe has it: `trees.mrg`, `$TREEBANKS/masc-train.mrg.gz`, `$PTB/0[2-9]/*.mrg`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct RecipePath {
    written: String,
    folder: PathBuf,
}

/// A reason why a path cannot be resolved.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PathError {
    /// A variable is not set.
    #[error("{path}: the variable {variable} is not set; set it to the folder that the recipe means")]
    Variable {
        /// The path.
        path: String,
        /// The variable.
        variable: String,
    },
    /// A pattern is not one.
    #[error("{path}: {reason}")]
    Pattern {
        /// The path.
        path: String,
        /// The reason.
        reason: String,
    },
    /// No file has such a name.
    #[error("{path}: there is no such file")]
    NoFile {
        /// The path.
        path: String,
    },
}

impl From<String> for RecipePath {
    fn from(written: String) -> RecipePath {
        RecipePath { written, folder: PathBuf::new() }
    }
}

impl From<PathBuf> for RecipePath {
    fn from(path: PathBuf) -> RecipePath {
        path.to_string_lossy().into_owned().into()
    }
}

impl From<RecipePath> for String {
    fn from(path: RecipePath) -> String {
        path.written
    }
}

/// Two paths are the same if they are written alike: a run goes on although its recipe was moved.
impl PartialEq for RecipePath {
    fn eq(&self, other: &RecipePath) -> bool {
        self.written == other.written
    }
}

impl RecipePath {
    /// The path as it is written.
    pub fn as_written(&self) -> &str {
        &self.written
    }

    /// Says in which folder the recipe is.
    pub(crate) fn set_folder(&mut self, folder: &Path) {
        folder.clone_into(&mut self.folder);
    }

    /// The path that is meant.
    pub fn resolved(&self) -> Result<PathBuf, PathError> {
        let Some(rest) = self.written.strip_prefix('$') else { return Ok(self.folder.join(&self.written)) };
        let (variable, rest) = rest.split_once('/').map_or((rest, None), |(name, rest)| (name, Some(rest)));
        let value = std::env::var_os(variable).filter(|value| !value.is_empty());
        let error = || PathError::Variable { path: self.written.clone(), variable: variable.to_owned() };
        let folder = PathBuf::from(value.ok_or_else(error)?);
        Ok(rest.map_or_else(|| folder.clone(), |rest| folder.join(rest)))
    }

    /// The files that are meant: those that match a pattern, those of a folder and the folders in it, or the file itself. They are sorted.
    pub fn files(&self) -> Result<Vec<PathBuf>, PathError> {
        let path = self.resolved()?;
        if path.is_file() {
            return Ok(vec![path]);
        }
        let pattern = if path.is_dir() { path.join("**/*") } else { path };
        let wrong = |reason: String| PathError::Pattern { path: self.written.clone(), reason };
        let found = glob::glob(&pattern.to_string_lossy()).map_err(|error| wrong(error.to_string()))?;
        let found: Result<Vec<PathBuf>, _> = found.collect();
        let mut files = found.map_err(|error| wrong(error.to_string()))?;
        files.retain(|file| file.is_file());
        files.sort();
        if files.is_empty() { Err(PathError::NoFile { path: self.written.clone() }) } else { Ok(files) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_recipe_or_to_a_variable() {
        let folder = tempfile::tempdir().unwrap();
        for file in ["00/a.mrg", "02/b.mrg", "02/c.mrg", "23/d.mrg"] {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let files = |written: &str| {
            let mut path = RecipePath::from(written.to_owned());
            path.set_folder(folder.path());
            let files = path.files()?.into_iter();
            let inside = |file: PathBuf| file.strip_prefix(folder.path()).unwrap().display().to_string();
            Ok::<Vec<String>, PathError>(files.map(inside).collect())
        };
        assert_eq!(files("02/b.mrg").unwrap(), ["02/b.mrg"]);
        assert_eq!(files("0[0-9]/*.mrg").unwrap(), ["00/a.mrg", "02/b.mrg", "02/c.mrg"]);
        assert_eq!(files("02").unwrap(), ["02/b.mrg", "02/c.mrg"]);
        assert!(files("05/*").unwrap_err().to_string().contains("05/*: there is no such file"));
        let error = files("$TRACEBANK_NO_SUCH_FOLDER/x").unwrap_err().to_string();
        assert!(error.contains("the variable TRACEBANK_NO_SUCH_FOLDER is not set"), "{error}");
        let home = RecipePath::from("$PATH".to_owned()).resolved().unwrap();
        assert_eq!(home.as_os_str(), std::env::var_os("PATH").unwrap());
    }
}
