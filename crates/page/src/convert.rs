//! Trees in other forms.

use serde::Deserialize;
use tracebank::{Parse, Record};

use crate::problem::Problem;
use crate::{Answer, Form, trees};

/// A request to convert trees.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Convert {
    /// The trees
    #[cfg_attr(feature = "openapi", schema(example = "(S (NP (PRP We)) (VP (VBP run)))"))]
    pub trees: String,
    /// Their dialect, or `graph`
    #[serde(default = "penn")]
    pub from: String,
    /// The form of the answer, as of a parse
    #[serde(default = "penn")]
    pub to: String,
    /// Leave out null elements, and the indices that then point to nothing
    #[serde(default)]
    pub strip_traces: bool,
    /// Leave out function tags
    #[serde(default)]
    pub strip_functions: bool,
}

fn penn() -> String {
    "penn".to_owned()
}

impl Convert {
    /// The trees in the form that is asked for.
    pub fn answer(&self) -> Result<Answer, Problem> {
        let form = Form::named(&self.to)
            .ok_or_else(|| Problem::option("to", &format!("there is no form {:?}", self.to)))?;
        let mut text = String::new();
        for mut tree in trees::trees(&self.trees, &self.from)? {
            if self.strip_traces {
                tree.strip_traces();
            }
            if self.strip_functions {
                tree.strip_functions();
            }
            form.write(Record::from(&Parse::of_tree(tree)), false, &mut text);
        }
        Ok(Answer::text(text))
    }
}
