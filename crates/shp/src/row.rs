//! One line → its fields.

use tracebank_syntax::penn::Problem;

/// A problem of a sentence, and its place: the row, from 0, and the byte in its line.
pub(super) struct Fault {
    pub(super) row: usize,
    pub(super) at: usize,
    pub(super) problem: Problem,
}

/// A piece of a line.
#[derive(Clone, Copy)]
pub(super) struct Field<'a> {
    row: usize,
    at: usize,
    pub(super) text: &'a str,
}

impl Field<'_> {
    pub(super) fn fault(self, message: impl Into<String>) -> Fault {
        self.fault_at(0, message)
    }

    /// A fault at a byte of the field.
    pub(super) fn fault_at(self, offset: usize, message: impl Into<String>) -> Fault {
        Fault { row: self.row, at: self.at + offset, problem: Problem::Graph(message.into()) }
    }

    fn number(self) -> Result<usize, Fault> {
        decimal(self.text).ok_or_else(|| self.fault(format!("{:?} is no number of a word", self.text)))
    }

    fn flag(self) -> Result<bool, Fault> {
        match self.text {
            "T" => Ok(true),
            "F" => Ok(false),
            other => Err(self.fault(format!("{other:?} is neither T (null) nor F"))),
        }
    }
}

/// A number without a sign.
fn decimal(text: &str) -> Option<usize> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// A node of a spine as an edge names it: `NP_1`, the second NP of word 3.
#[derive(Clone, Copy)]
pub(super) struct NodeName<'a> {
    pub(super) word: usize,
    pub(super) field: Field<'a>,
    pub(super) label: &'a str,
    pub(super) count: usize,
    pub(super) is_null: bool,
}

impl<'a> NodeName<'a> {
    fn parse(word: usize, field: Field<'a>, is_null: bool) -> Result<NodeName<'a>, Fault> {
        let parts = field.text.rsplit_once('_').and_then(|(label, count)| Some((label, decimal(count)?)));
        let (label, count) =
            parts.ok_or_else(|| field.fault(format!("{:?} is no label with a count", field.text)))?;
        Ok(NodeName { word, field, label, count, is_null })
    }
}

/// A trace edge as it stands in a line.
pub(super) struct TraceRow<'a> {
    pub(super) target: NodeName<'a>,
    pub(super) own: NodeName<'a>,
    pub(super) kind: &'a str,
}

/// A line: a word with its spine and edges.
pub(super) struct Row<'a> {
    pub(super) form: Field<'a>,
    pub(super) tag: Field<'a>,
    pub(super) spine: Field<'a>,
    /// `None` under the root.
    pub(super) parent: Option<NodeName<'a>>,
    pub(super) traces: Vec<TraceRow<'a>>,
}

impl<'a> Row<'a> {
    /// Reads the line of the word `row + 1`.
    pub(super) fn parse(row: usize, line: &'a str) -> Result<Row<'a>, Fault> {
        let start = line.as_ptr() as usize;
        let fields = line.split_ascii_whitespace();
        let fields: Vec<Field> =
            fields.map(|text| Field { row, at: text.as_ptr() as usize - start, text }).collect();
        let whole = Field { row, at: 0, text: line };
        let [number, form, tag, spine, head, attachment, traces @ ..] = &fields[..] else {
            return Err(whole.fault("a line has six fields: number, word, tag, spine, parent, parent's node"));
        };
        if number.number()? != row + 1 {
            return Err(number.fault(format!(
                "this is word {} of the sentence, not {}",
                row + 1,
                number.text
            )));
        }
        let (traces, rest) = traces.as_chunks::<6>();
        if let Some(field) = rest.first() {
            return Err(
                field.fault("a trace edge has six fields: word, node, T or F, own node, T or F, type")
            );
        }
        let parent = match head.number()? {
            0 => None,
            head => Some(NodeName::parse(head, *attachment, false)?),
        };
        let trace = |&[word, node, is_null, own, own_is_null, kind]: &[Field<'a>; 6]| {
            Ok(TraceRow {
                target: NodeName::parse(word.number()?, node, is_null.flag()?)?,
                own: NodeName::parse(row + 1, own, own_is_null.flag()?)?,
                kind: kind.text,
            })
        };
        let traces = traces.iter().map(trace).collect::<Result<_, Fault>>()?;
        Ok(Row { form: *form, tag: *tag, spine: *spine, parent, traces })
    }
}
