//! Templates and rules in words.

use std::fmt::Write as _;

use crate::derivation::{Derivation, How, Item, Step};
use crate::expand::{Combination, EdgeRule, Rules};
use crate::grammar::Grammar;
use crate::item::{Count, Letter, Link, PAIRS, Side, Visible};
use crate::part::EdgeKind;
use crate::shape::Shape;
use crate::template::{Hat, Pattern, Template};

/// A template in its own notation: `(2) I[ij nđ] <- I[ik nd] I[kj ..]`.
pub fn notation(template: &Template) -> String {
    let inputs: Vec<String> = template.inputs.iter().map(pattern).collect();
    format!("{} {} <- {}", template.name(), pattern(&template.output), inputs.join(" "))
}

fn pattern(pattern: &Pattern) -> String {
    let mut text = String::new();
    if pattern.side == Some(Side::Left) {
        text.push('·');
    }
    for (letter, hat) in &pattern.letters {
        let _ = write!(text, "{letter:?}");
        text.push_str(match pattern.count {
            Some(Count::One) => "1",
            Some(Count::Many) => "+",
            None => "",
        });
        text.push_str(match hat {
            Hat::Unmarked => "",
            Hat::Required => "^",
            Hat::Carried => "°",
        });
    }
    if pattern.side == Some(Side::Right) {
        text.push('·');
    }
    let (left, right, external) = pattern.names;
    let _ = write!(text, "[{left}{right}");
    text.extend(external);
    text.push(' ');
    for (&(from, to), links) in PAIRS.iter().zip(pattern.links) {
        if external.is_some() || (from != Visible::X && to != Visible::X) {
            let allowed = [Link::None, Link::Path, Link::Direct].map(|link| links.allows(link));
            text.push(match allowed {
                [true, true, true] => '.',
                [true, false, false] => 'n',
                [false, true, false] => 'p',
                [false, false, true] => 'd',
                [true, true, false] => 'đ',
                _ => 'ñ',
            });
        }
    }
    text.push(']');
    text
}

/// A template explained: what it combines, what it asks of each item, and how many rules it gives.
pub fn explain(rules: &Rules, index: usize) -> Option<String> {
    let template = rules.templates.get(index)?;
    let mut text = format!("{}\n\n", notation(template));
    let count = template.inputs.len();
    let _ = writeln!(
        text,
        "Template {}{} combines {count} neighbouring items into {}.",
        template.name(),
        if template.mirrored { ", a mirror image," } else { "" },
        letters(&template.output),
    );
    let _ = writeln!(text, "Shape: {}.", shape(Shape::of(template)));
    if template.initial {
        text.push_str("The first item is the initial one, over two neighbouring words and without edges.\n");
    }
    for (number, input) in template.inputs.iter().enumerate() {
        let _ = writeln!(text, "\nItem {}: {}", number + 1, describe(input));
    }
    let _ = writeln!(text, "\nMakes: {}", describe(&template.output));
    let of_template: Vec<&Combination> =
        rules.combinations.iter().filter(|rule| rule.template.index() == index).collect();
    let _ = writeln!(text, "\nRules of the class {} from this template: {}.", rules.class, of_template.len());
    if let Some(rule) = of_template.first() {
        let _ = writeln!(text, "The first of them: {}", combination(rules, rule));
    }
    Some(text)
}

/// A rule in the notation of kinds.
pub fn combination(rules: &Rules, rule: &Combination) -> String {
    let kind = |id: crate::expand::KindId| rules.kinds[id.index()].to_string();
    let inputs: Vec<String> = rule.inputs().iter().map(|&id| kind(id)).collect();
    format!("{} {} <- {}", rules.templates[rule.template.index()].name(), kind(rule.output), inputs.join(" "))
}

/// An edge rule in the notation of kinds.
pub fn edge_rule(rules: &Rules, rule: &EdgeRule) -> String {
    let (output, input) = (&rules.kinds[rule.output.index()], &rules.kinds[rule.input.index()]);
    format!("(edge) {output} <- {input} {}", rule.edge)
}

/// A step of a derivation in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepText {
    /// Where the item stands: `[1 4 . 0]`, the span and, behind a dot, the external vertex.
    pub place: String,
    /// The kind of the item.
    pub kind: String,
    /// How it was made, from which steps.
    pub how: String,
}

/// The steps of a derivation in words.
pub fn steps(grammar: &Grammar, derivation: &Derivation) -> Vec<StepText> {
    let rules = grammar.rules();
    let text = |step: &Step| {
        let Item { kind, left, right, external } = step.item;
        let external = external.map_or_else(String::new, |x| format!(" . {}", x.0));
        let how = match &step.how {
            How::Initial => "initial".to_owned(),
            How::Edge { input, edge, .. } => {
                let kind = if edge.kind == EdgeKind::Trace { " trace" } else { "" };
                format!("{} and the{kind} edge {}→{}", input.0, edge.from.0, edge.to.0)
            }
            How::Combine { inputs, rule } => {
                let template = rules.combinations[rule.0 as usize].template;
                let inputs: Vec<String> = inputs.iter().map(|input| input.0.to_string()).collect();
                format!("{} by {}", inputs.join(" "), rules.templates[template.index()].name())
            }
        };
        StepText {
            place: format!("[{} {}{external}]", left.0, right.0),
            kind: rules.kinds[kind.index()].to_string(),
            how,
        }
    };
    derivation.steps.iter().map(text).collect()
}

/// A derivation, one step a line: its number, the item with its place, and how it was made.
pub fn derivation(grammar: &Grammar, derivation: &Derivation) -> String {
    let mut text = String::new();
    for (number, StepText { place, kind, how }) in steps(grammar, derivation).iter().enumerate() {
        let _ = writeln!(text, "{number:>3}  {place}  {kind}  {how}");
    }
    text
}

fn letters(pattern: &Pattern) -> String {
    let names: Vec<&str> = pattern
        .letters
        .iter()
        .map(|(letter, _)| match letter {
            Letter::I => "an interval (I)",
            Letter::X => "an exterval (X)",
            Letter::B => "a both-crossing item (B)",
            Letter::L => "a left-crossing item (L)",
            Letter::R => "a right-crossing item (R)",
            Letter::N => "a neither-crossing item (N)",
        })
        .collect();
    names.join(" or ")
}

fn describe(pattern: &Pattern) -> String {
    let (left, right, external) = pattern.names;
    let mut text = format!("{} over [{left} {right}]", letters(pattern));
    if let Some(x) = external {
        let side = match pattern.side {
            Some(Side::Left) => " on its left",
            Some(Side::Right) => " on its right",
            None => "",
        };
        let _ = write!(text, " with external vertex {x}{side}");
    }
    match pattern.count {
        Some(Count::One) => text.push_str(", exactly one edge to it"),
        Some(Count::Many) => text.push_str(", more than one edge to it"),
        None => {}
    }
    if pattern.letters.iter().any(|(_, hat)| *hat == Hat::Required) {
        text.push_str(", every inner vertex under an edge of the span");
    }
    let name = |vertex| match vertex {
        Visible::L => left,
        Visible::R => right,
        Visible::X => external.unwrap_or('x'),
    };
    for (&(from, to), links) in PAIRS.iter().zip(pattern.links) {
        if external.is_none() && (from == Visible::X || to == Visible::X) {
            continue;
        }
        let (from, to) = (name(from), name(to));
        let says = match [Link::None, Link::Path, Link::Direct].map(|link| links.allows(link)) {
            [true, true, true] => continue,
            [false, false, true] => format!("with the edge {from}→{to}"),
            [true, true, false] => format!("without the edge {from}→{to}"),
            [true, false, false] => format!("{to} not reachable from {from}"),
            [false, true, false] => format!("a path but no edge from {from} to {to}"),
            _ => format!("{to} reachable from {from}"),
        };
        let _ = write!(text, "; {says}");
    }
    text.push('.');
    text
}

fn shape(shape: Shape) -> &'static str {
    match shape {
        Shape::Step => "[ik] [kj] with k next to i",
        Shape::Pair => "[ik] [kj]",
        Shape::CloseLeft => "[ik.j] [kj]",
        Shape::CloseRight => "[ik] [kj.i]",
        Shape::Cross => "[ab.c] [bc] [cd.b]",
        Shape::Tail => "[ab.c] [bc] [cd]",
        Shape::Head => "[ab] [bc] [cd.b]",
        Shape::NestLeft => "[ab] [bc.a] [cd.b]",
        Shape::NestRight => "[ab.c] [bc.d] [cd]",
        Shape::Same => "[ik.x] [kj.x]",
        Shape::OwnRight => "[ik.x] [kj.i]",
        Shape::OwnLeft => "[ik.j] [kj.x]",
        Shape::BesideRight => "[ik.x] [kj]",
        Shape::BesideLeft => "[ik] [kj.x]",
    }
}

/// A fingerprint of a rule set: FNV-1a over the text of its rules, in order. Rules are generated, not kept in git; this
/// tells whether two versions generate the same ones.
pub fn digest(rules: &Rules) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut eat = |text: &str| {
        for byte in text.bytes().chain([b'\n']) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for rule in &rules.combinations {
        eat(&combination(rules, rule));
    }
    for rule in &rules.edges {
        let kind = |id: crate::expand::KindId| rules.kinds[id.index()].to_string();
        eat(&format!("{} <- {} {}", kind(rule.output), kind(rule.input), rule.edge));
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::structure::Class;

    #[test]
    fn templates_are_written_as_they_were_read() {
        let rules = Rules::expand(Class::PROJECTIVE_TREE);
        assert_eq!(notation(&rules.templates[0]), "(1) I[ij nđ] <- I[ik nn] I[kj ñn]");
        assert_eq!(notation(&rules.templates[3]), "(2') I[ij pn] <- I[ik ..] I[kj dn]");
        assert!(explain(&rules, 2).is_some_and(|text| text.contains("with the edge i→k")));
        assert_eq!(explain(&rules, 99), None);
    }
}
