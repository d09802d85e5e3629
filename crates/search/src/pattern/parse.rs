//! Text → [`Pattern`], by recursive descent.
//!
//! ```text
//! pattern     = chain
//! chain       = ( "(" chain ")" | node ) [ conditions ]
//! conditions  = conjunction { "|" conjunction }
//! conjunction = condition { [ "&" ] condition }
//! condition   = [ "!" | "?" ] ( "[" conditions "]" | relation target | "<..." "{" chain { ";" chain } "}" )
//! target      = "(" chain ")" | node
//! node        = description [ "=" name ] | "=" name | "~" name
//! description = [ "!" ] [ "@" ] ( "__" | text { "|" text } )
//! text        = literal | "\"" … "\"" | "/" regular expression "/" { "#" number "%" variable }
//! ```
//!
//! `:` is a relation as any other, so in `A : B < C` it is A that has a child C. A `|` behind a description goes on with the description if a text follows, and else with the conditions.

use std::ops::Range;

use regex::Regex;

use super::describe::{Description, Text};
use super::{Condition, Id, Node, Pattern, PatternError, What};
use crate::relation::{Argument, DescriptionId, Relation, relation_at, symbol_at};
use crate::role::Role;

/// How deep brackets may go, so that no pattern can exhaust the stack.
const DEEPEST: usize = 200;

const A_NODE: &str = "a label, /…/, __, =name or (…)";
const A_RELATION: &str = "a relation such as < or $+, & | [ or the end";

type Parsed<T> = Result<T, PatternError>;

pub(super) fn parse(text: &str) -> Parsed<Pattern> {
    let pattern = Pattern {
        text: text.to_owned(),
        nodes: Vec::new(),
        descriptions: Vec::new(),
        names: Vec::new(),
        variables: Vec::new(),
    };
    let mut parser = Parser { text, at: 0, depth: 0, negations: 0, pattern };
    parser.chain()?;
    parser.skip_space();
    if parser.at < text.len() {
        return Err(parser.unexpected(A_RELATION));
    }
    Ok(parser.pattern)
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    /// How many negations are around: what is in one cannot be named.
    negations: usize,
    pattern: Pattern,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn peek(&mut self) -> Option<char> {
        self.skip_space();
        self.rest().chars().next()
    }

    fn take(&mut self, token: &str) -> bool {
        self.skip_space();
        let here = self.rest().starts_with(token);
        self.at += if here { token.len() } else { 0 };
        here
    }

    fn expect(&mut self, token: &str, what: &str) -> Parsed<()> {
        if self.take(token) { Ok(()) } else { Err(self.unexpected(what)) }
    }

    fn error(&self, span: Range<usize>, message: impl Into<String>, expected: Option<&str>) -> PatternError {
        let expected = expected.map(str::to_owned);
        PatternError { pattern: self.text.to_owned(), span, message: message.into(), expected }
    }

    /// The character here is none that can follow.
    fn unexpected(&mut self, expected: &str) -> PatternError {
        match self.peek() {
            Some(found) => {
                let span = self.at..self.at + found.len_utf8();
                self.error(span, format!("`{found}` cannot stand here"), Some(expected))
            }
            None => self.error(self.at..self.at, "the pattern ends too early", Some(expected)),
        }
    }

    fn deeper<T>(&mut self, inside: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == DEEPEST {
            return Err(self.error(self.at..self.at, "the brackets are too deep", None));
        }
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }

    fn chain(&mut self) -> Parsed<Id> {
        let node = self.target()?;
        if self.begins_condition() {
            let condition = self.conditions()?;
            match condition {
                Condition::All(list) => self.pattern.nodes[node].conditions.extend(list),
                other => self.pattern.nodes[node].conditions.push(other),
            }
        }
        Ok(node)
    }

    fn target(&mut self) -> Parsed<Id> {
        if self.take("(") {
            return self.deeper(|parser| {
                let node = parser.chain()?;
                parser.expect(")", "a relation, & | [ or )")?;
                Ok(node)
            });
        }
        // the node takes its number before those below it
        let node = self.pattern.nodes.len();
        let what = self.what()?;
        self.pattern.nodes.push(Node { what, name: None, conditions: Vec::new() });
        if self.begins_name() {
            self.pattern.nodes[node].name = Some(self.new_name()?);
        }
        Ok(node)
    }

    /// Whether `=x` is here: an equals sign that begins no relation.
    fn begins_name(&mut self) -> bool {
        self.peek() == Some('=') && symbol_at(self.rest()).is_none()
    }

    fn new_name(&mut self) -> Parsed<Id> {
        let start = self.at;
        let name = self.sign_and_name()?;
        if self.negations > 0 {
            let message = "a node inside a negation cannot be named: there is none when the pattern matches";
            return Err(self.error(start..self.at, message, None));
        }
        Ok(intern(&mut self.pattern.names, name))
    }

    fn old_name(&mut self) -> Parsed<Id> {
        let start = self.at;
        let name = self.sign_and_name()?;
        let known = self.pattern.names.iter().position(|known| known == name);
        known.ok_or_else(|| {
            let message = format!("no node before this one has the name {name}");
            self.error(start..self.at, message, Some("a name that was given further left"))
        })
    }

    /// A sign of one character, and a name.
    fn sign_and_name(&mut self) -> Parsed<&'a str> {
        self.at += 1;
        let length =
            self.rest().find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.rest().len());
        if length == 0 {
            return Err(self.unexpected("a name of letters and digits"));
        }
        let name = &self.rest()[..length];
        self.at += length;
        Ok(name)
    }

    fn what(&mut self) -> Parsed<What> {
        if self.begins_name() {
            return Ok(What::Named(self.old_name()?));
        }
        if self.peek() == Some('~') {
            return Ok(What::Alike(self.old_name()?));
        }
        let (id, groups) = self.description()?;
        Ok(What::Described(id, groups))
    }

    fn description(&mut self) -> Parsed<(DescriptionId, Vec<(usize, Id)>)> {
        let start = {
            self.skip_space();
            self.at
        };
        let negated = self.take("!");
        let category = self.take("@");
        let mut groups = Vec::new();
        let alternatives = if self.takes_anything() {
            None
        } else {
            let mut alternatives = vec![self.text(&mut groups)?];
            while self.goes_on_with_text() {
                self.take("|");
                alternatives.push(self.text(&mut groups)?);
            }
            if !groups.is_empty() && (alternatives.len() > 1 || negated) {
                let message = "groups are kept from one regular expression, without alternatives or !";
                return Err(self.error(start..self.at, message, None));
            }
            Some(alternatives)
        };
        Ok((self.describe(Description { negated, category, alternatives }), groups))
    }

    fn takes_anything(&mut self) -> bool {
        self.skip_space();
        let whole = literal_length(self.rest()) == 2 && self.rest().starts_with("__");
        self.at += if whole { 2 } else { 0 };
        whole
    }

    fn goes_on_with_text(&mut self) -> bool {
        if self.peek() != Some('|') {
            return false;
        }
        let behind = self.rest()[1..].trim_start();
        symbol_at(behind).is_none() && (behind.starts_with(['/', '"']) || literal_length(behind) > 0)
    }

    fn text(&mut self, groups: &mut Vec<(usize, Id)>) -> Parsed<Text> {
        match self.peek() {
            Some('/') => self.regex(groups),
            Some('"') => {
                let quoted = self.delimited('"')?;
                Ok(Text::Literal(unescape(quoted)))
            }
            _ => {
                let length = literal_length(self.rest());
                if length == 0 {
                    return Err(self.no_node());
                }
                let literal = self.rest()[..length].to_owned();
                self.at += length;
                Ok(Text::Literal(literal))
            }
        }
    }

    fn no_node(&mut self) -> PatternError {
        match self.peek() {
            Some(digit) if digit.is_ascii_digit() => {
                let message = "a label that begins with a digit is written in quotes";
                self.error(self.at..self.at + 1, message, Some(&format!("\"{digit}…\"")))
            }
            Some(')' | ']' | '&' | '|') | None => self.error(
                self.at..(self.at + 1).min(self.text.len()),
                "a node is missing here",
                Some(A_NODE),
            ),
            Some(_) => self.unexpected(A_NODE),
        }
    }

    /// Text up to the next delimiter that has no backslash before it. The first delimiter is here.
    fn delimited(&mut self, delimiter: char) -> Parsed<&'a str> {
        let start = self.at;
        let mut escaped = false;
        for (offset, c) in self.rest().char_indices().skip(1) {
            if c == delimiter && !escaped {
                let inside = &self.rest()[1..offset];
                self.at += offset + 1;
                return Ok(inside);
            }
            escaped = c == '\\' && !escaped;
        }
        Err(self.error(start..self.text.len(), format!("the closing {delimiter} is missing"), None))
    }

    fn regex(&mut self, groups: &mut Vec<(usize, Id)>) -> Parsed<Text> {
        let start = self.at;
        let source = self.delimited('/')?;
        let regex = Regex::new(&rust_regex(source)).map_err(|error| {
            let reason = error.to_string();
            let last = reason.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
            self.error(start..self.at, format!("the regular expression is wrong: {last}"), None)
        })?;
        while self.rest().starts_with('#') && self.rest()[1..].starts_with(|c: char| c.is_ascii_digit()) {
            let begin = self.at;
            self.at += 1;
            let group = self.number()? as usize;
            if group >= regex.captures_len() {
                let message = format!("the regular expression has no group {group}");
                return Err(self.error(begin..self.at, message, None));
            }
            if !self.rest().starts_with('%') {
                return Err(self.unexpected("% and the name of a variable"));
            }
            let variable = self.sign_and_name()?;
            groups.push((group, intern(&mut self.pattern.variables, variable)));
        }
        Ok(Text::Regex(regex))
    }

    fn number(&mut self) -> Parsed<i32> {
        let length = self.rest().find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest().len());
        let span = self.at..self.at + length;
        let number = self.text[span.clone()].parse::<i32>().ok().filter(|&number| number > 0);
        self.at += length;
        number.ok_or_else(|| self.error(span, "a number from 1 is needed here", None))
    }

    /// Whether a condition is here: a relation, or a sign that goes before one.
    fn begins_condition(&mut self) -> bool {
        match self.peek() {
            Some('!' | '?' | '[' | '&' | '|') => true,
            Some(_) => relation_at(self.rest()).is_some(),
            None => false,
        }
    }

    fn conditions(&mut self) -> Parsed<Condition> {
        let mut alternatives = vec![self.conjunction()?];
        while self.take("|") {
            alternatives.push(self.conjunction()?);
        }
        Ok(one_or(alternatives, Condition::Any))
    }

    fn conjunction(&mut self) -> Parsed<Condition> {
        let mut all = vec![self.condition()?];
        loop {
            let explicit = self.take("&");
            if !explicit && (self.peek() == Some('|') || !self.begins_condition()) {
                return Ok(one_or(all, Condition::All));
            }
            all.push(self.condition()?);
        }
    }

    fn condition(&mut self) -> Parsed<Condition> {
        if self.take("!") {
            self.negations += 1;
            let inside = self.plain_condition();
            self.negations -= 1;
            return Ok(Condition::Not(Box::new(inside?)));
        }
        if self.take("?") {
            return Ok(Condition::Maybe(Box::new(self.plain_condition()?)));
        }
        self.plain_condition()
    }

    fn plain_condition(&mut self) -> Parsed<Condition> {
        if self.take("[") {
            return self.deeper(|parser| {
                let inside = parser.conditions()?;
                parser.expect("]", "a relation, & | or ]")?;
                Ok(inside)
            });
        }
        self.skip_space();
        let Some((length, argument)) = relation_at(self.rest()) else {
            return Err(self.unexpected("a relation such as < or $+, or ["));
        };
        self.at += length;
        let relation = match argument {
            Argument::None(relation) => relation,
            Argument::Number(plain, numbered, sign) => {
                if self.peek().is_some_and(|c| c.is_ascii_digit()) {
                    numbered(sign * self.number()?)
                } else {
                    plain
                }
            }
            Argument::Description(chain) => {
                self.expect("(", "( and a description")?;
                let (id, groups) = self.description()?;
                if !groups.is_empty() {
                    return Err(self.error(self.at - 1..self.at, "groups cannot be kept from a chain", None));
                }
                self.expect(")", ")")?;
                chain(id)
            }
            Argument::Children => return self.children(),
            Argument::NoRole => {
                let span = self.at - length + 1..self.at - 1;
                let message = format!("there is no role {}", &self.text[span.clone()]);
                return Err(self.error(span, message, Some(&Role::list())));
            }
        };
        let target = self.target()?;
        Ok(Condition::Link(relation, target))
    }

    /// `<... { A ; B }` is `<1 A & <2 B & !<3 __`.
    fn children(&mut self) -> Parsed<Condition> {
        self.expect("{", "{ and the children, with ; between them")?;
        self.deeper(|parser| {
            let mut children = Vec::new();
            loop {
                let child = parser.chain()?;
                children.push(Condition::Link(Relation::HasNth(children.len() as i32 + 1), child));
                if !parser.take(";") {
                    break;
                }
            }
            parser.expect("}", "; or }")?;
            let one_more = parser.anything();
            let too_many = Condition::Link(Relation::HasNth(children.len() as i32 + 1), one_more);
            children.push(Condition::Not(Box::new(too_many)));
            Ok(Condition::All(children))
        })
    }

    fn anything(&mut self) -> Id {
        let description = Description { negated: false, category: false, alternatives: None };
        let what = What::Described(self.describe(description), Vec::new());
        self.pattern.nodes.push(Node { what, name: None, conditions: Vec::new() });
        self.pattern.nodes.len() - 1
    }

    fn describe(&mut self, description: Description) -> DescriptionId {
        let known = self.pattern.descriptions.iter().position(|known| *known == description);
        DescriptionId(known.unwrap_or_else(|| {
            self.pattern.descriptions.push(description);
            self.pattern.descriptions.len() - 1
        }) as u32)
    }
}

fn one_or(mut list: Vec<Condition>, many: fn(Vec<Condition>) -> Condition) -> Condition {
    if list.len() == 1 { list.remove(0) } else { many(list) }
}

fn intern(names: &mut Vec<String>, name: &str) -> Id {
    names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}

/// How long the literal at the start of `text` is. No literal begins with a digit, or has a sign of the language in it.
pub(super) fn literal_length(text: &str) -> usize {
    let ends = |c: char| c.is_whitespace() || "()/|@!#%&=?[]><~.,$:{};\"^\\`'".contains(c);
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return 0;
    }
    text.find(ends).unwrap_or(text.len())
}

/// A quoted text without its backslashes.
fn unescape(quoted: &str) -> String {
    let mut escaped = false;
    let keep = |c: &char| {
        escaped = *c == '\\' && !escaped;
        !escaped
    };
    quoted.chars().filter(keep).collect()
}

/// A regular expression of Java in the syntax of the `regex` crate: `\/` is a slash, and `\<` no boundary of words.
fn rust_regex(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut escaped = false;
    for c in source.chars() {
        if escaped
            && matches!(c, '/' | '<' | '>' | '"' | '\'' | '`' | '_' | '=' | '@' | '%' | '!' | ',' | ':' | ';')
        {
            out.pop();
        }
        escaped = c == '\\' && !escaped;
        out.push(c);
    }
    out
}
