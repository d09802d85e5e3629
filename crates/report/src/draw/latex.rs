//! A tree as LaTeX source, for papers and slides.

use std::fmt::Write as _;

use tracebank_syntax::tree::{Event, NodeId, Tree};

use super::face::{Face, TreeOptions};
use super::traces::traces;

/// A package that draws trees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Latex {
    /// `forest`.
    Forest,
    /// `tikz-qtree`.
    Qtree,
}

/// The tree as source of LaTeX, with an arrow from each null element to its antecedent.
///
/// ```
/// use tracebank_report::draw::{Latex, TreeOptions, latex};
/// let tree = "( (S (NP-SBJ-1 (PRP We)) (VP (VBP like) (S (NP-SBJ (-NONE- *-1)) (VP (VBG running))))))".parse()?;
/// let source = latex(&tree, Latex::Forest, &TreeOptions { tags: false, ..TreeOptions::default() });
/// assert!(source.contains("[{NP-SBJ-1},name=n2[{We}]]"), "{source}");
/// assert!(source.contains("(n8) to[out=south west,in=south west] (n2)"), "{source}");
/// # Ok::<(), tracebank_syntax::penn::SyntaxError>(())
/// ```
pub fn latex(tree: &Tree, package: Latex, options: &TreeOptions) -> String {
    let face = Face::new(tree, options);
    let traces: Vec<_> = traces(tree)
        .into_iter()
        .map(|trace| (face.shown(trace.from), face.shown(trace.to), trace.is_gap))
        .filter(|(from, to, _)| from != to)
        .collect();
    let named = |node: NodeId| traces.iter().any(|&(from, to, _)| node == from || node == to);
    let mut out = String::new();
    let (head, root) = match package {
        Latex::Forest => ("% needs \\usepackage[linguistics]{forest}\n\\begin{forest}\n", ""),
        Latex::Qtree => ("% needs \\usepackage{tikz-qtree}\n\\begin{tikzpicture}\n", "\\Tree "),
    };
    let _ = write!(out, "{head}{root}");
    for event in tree.walk(face.root) {
        match event {
            Event::Enter(node) if face.is_drawn(node) => open(&face, package, node, named(node), &mut out),
            Event::Leave(node) if face.is_drawn(node) => close(&face, package, node, &mut out),
            _ => {}
        }
    }
    out.push('\n');
    for (from, to, is_gap) in &traces {
        let style = if *is_gap { "->,dashed" } else { "->" };
        let _ = writeln!(
            out,
            "\\draw[{style}] (n{}) to[out=south west,in=south west] (n{});",
            from.index(),
            to.index()
        );
    }
    out.push_str(match package {
        Latex::Forest => "\\end{forest}\n",
        Latex::Qtree => "\\end{tikzpicture}\n",
    });
    out
}

fn open(face: &Face<'_>, package: Latex, node: NodeId, named: bool, out: &mut String) {
    let is_leaf = face.tree.word(node).is_some();
    let foot = face.foot(node).map(|foot| {
        let text = escaped(&foot);
        if face.tree.is_null_element(node) { format!("\\textit{{{text}}}") } else { text }
    });
    let head = if is_leaf { face.tag(node).into() } else { face.label(node) };
    // A bracket without a label, as some treebanks have, still needs a node.
    let head = if head.is_empty() && !is_leaf { "·".to_owned() } else { escaped(&head) };
    let number = node.index();
    let _ = match package {
        Latex::Forest => {
            let name = if named { format!(",name=n{number}") } else { String::new() };
            let roof = if face.is_collapsed(node) { ",roof" } else { "" };
            match foot {
                Some(foot) if head.is_empty() => write!(out, "[{{{foot}}}{name}"),
                Some(foot) => write!(out, "[{{{head}}}{name}[{{{foot}}}{roof}]"),
                None => write!(out, "[{{{head}}}{name}"),
            }
        }
        Latex::Qtree => {
            let text = |text: &str| {
                if named { format!("\\node(n{number}){{{text}}};") } else { format!("{{{text}}}") }
            };
            match foot {
                Some(foot) if head.is_empty() => write!(out, "{} ", text(&foot)),
                Some(foot) if face.is_collapsed(node) => {
                    write!(out, "[.{} \\edge[roof]; {{{foot}}} ", text(&head))
                }
                Some(foot) => write!(out, "[.{} {{{foot}}} ", text(&head)),
                None => write!(out, "[.{} ", text(&head)),
            }
        }
    };
}

fn close(face: &Face<'_>, package: Latex, node: NodeId, out: &mut String) {
    let bare = face.tree.word(node).is_some() && face.tag(node).is_empty();
    match package {
        Latex::Forest => out.push(']'),
        Latex::Qtree if bare => {}
        Latex::Qtree => out.push_str("] "),
    }
}

/// Text with the characters that mean something to LaTeX written out.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', character]),
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '…' => out.push_str("\\dots{}"),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str, package: Latex, collapse: &[&str]) -> String {
        let tree: Tree = text.parse().unwrap();
        let options = TreeOptions::default().collapsing(&tree, collapse);
        latex(&tree, package, &options)
    }

    #[test]
    fn brackets_are_balanced_and_signs_escaped() {
        let text = "( (S (NP-SBJ-1 (NNS profits)) (VP (VBD rose) (NP (CD 5) (NN %)) (S (NP (-NONE- *-1)))) (-RRB- -RRB-)))";
        for (package, collapse) in
            [(Latex::Forest, vec![]), (Latex::Qtree, vec![]), (Latex::Qtree, vec!["VP"])]
        {
            let source = source(text, package, &collapse);
            let count = |sign: char| source.matches(sign).count();
            assert_eq!((count('['), count('{')), (count(']'), count('}')), "{source}");
            assert!(source.contains("\\%") || !collapse.is_empty(), "{source}");
            assert!(source.contains("{)}"), "{source}");
        }
        assert!(source(text, Latex::Forest, &["VP"]).contains(",roof"));
    }
}
