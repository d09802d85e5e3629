//! The 28 templates of algorithm 1, as data, in the paper's notation and numbering.
//!
//! A template says which items may stand side by side and what they make. It is written as in the paper, with the marks
//! that a line of text cannot carry dressed in one character each:
//!
//! | here | in the paper | meaning |
//! |---|---|---|
//! | `·N`, `N·` | dot before, after | the external vertex lies left, right of the span |
//! | `N1`, `N+` | dot, wave below | one edge, several edges to the external vertex |
//! | `L^` | hat | every inner vertex lies under an edge of the span |
//! | `L°` | hat in (11), (12) | optional, and true of the output iff true of the input |
//! | `.` `d` `p` `n` | the same | unconstrained, edge, path but no edge, not reachable |
//! | `đ` `ñ` | d̄, n̄ | no edge (`p` or `n`), reachable (`d` or `p`) |
//!
//! An item is written `letters[l r x  connectivity]` with the connectivity in the order `rl xl lr xr lx rx`; a mark that
//! is absent leaves both options open in an input, and in an output means "no hat". Mirror images are derived by
//! `Template::mirror`, never typed: the families say only which of them the paper uses.

mod both;
mod interval;
mod left;
mod neither;
mod notation;

use crate::item::{Count, Kind, Letter, Link, PAIRS, Side, Visible};

/// The fate of the hat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hat {
    /// Input: either. Output: no hat.
    Unmarked,
    /// `^`: must be there.
    Required,
    /// `°`: handed from input to output.
    Carried,
}

/// A set of values of [`Link`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Links(u8);

impl Links {
    const ANY: Self = Self(0b111);
    const EDGE: Self = Self(0b100);
    const NO_EDGE: Self = Self(0b011);

    /// Is this link in the set?
    pub fn allows(self, link: Link) -> bool {
        self.0 & 1 << link as u8 != 0
    }
}

/// The constraints a template puts on one item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    /// The letters allowed, each with its hat.
    pub letters: Vec<(Letter, Hat)>,
    /// The side of the external vertex, if it is said.
    pub side: Option<Side>,
    /// One or many, if it is said.
    pub count: Option<Count>,
    /// The names of the visible vertices: left, right and, except for intervals, external.
    pub names: (char, char, Option<char>),
    /// Connectivity, in the order of [`PAIRS`].
    pub links: [Links; 6],
}

impl Pattern {
    /// Does an item of this kind fit?
    pub fn fits(&self, kind: &Kind) -> bool {
        self.letters.iter().any(|&(letter, hat)| kind.letter == letter && (hat != Hat::Required || kind.hat))
            && self.side.is_none_or(|side| kind.side == Some(side))
            && self.count.is_none_or(|count| kind.count == count)
            && self.fits_links(kind)
    }

    /// The connectivity part of [`Pattern::fits`].
    pub fn fits_links(&self, kind: &Kind) -> bool {
        PAIRS.iter().zip(self.links).all(|(&(from, to), set)| set.allows(kind.link(from, to)))
    }

    /// The pattern for undirected graphs.
    ///
    /// DIVERGENCE: the paper prints directed templates and says that undirected versions are easily had. Here a pair must
    /// be linked if either direction of the template demands the edge, and must not be if neither direction admits it;
    /// what the template says about paths only orders directions, and is dropped.
    fn undirected(&self) -> Self {
        let mut links = self.links;
        for (one, other) in [(0, 2), (1, 4), (3, 5)] {
            let (one_way, other_way) = (self.links[one], self.links[other]);
            let both = if one_way == Links::EDGE || other_way == Links::EDGE {
                Links::EDGE
            } else if one_way.allows(Link::Direct) || other_way.allows(Link::Direct) {
                Links::ANY
            } else {
                Links::NO_EDGE
            };
            (links[one], links[other]) = (both, both);
        }
        Self { links, ..self.clone() }
    }

    /// The pattern seen in a mirror, with its vertices renamed by `rename`.
    fn mirror(&self, rename: impl Fn(char) -> char) -> Self {
        let (left, right, external) = self.names;
        let mut links = self.links;
        for (index, &(from, to)) in PAIRS.iter().enumerate() {
            let swapped = (mirror_vertex(from), mirror_vertex(to));
            let place = PAIRS.iter().position(|&pair| pair == swapped).unwrap_or(index);
            links[place] = self.links[index];
        }
        Self {
            letters: self.letters.iter().map(|&(letter, hat)| (letter.mirror(), hat)).collect(),
            side: self.side.map(Side::mirror),
            count: self.count,
            names: (rename(right), rename(left), external.map(rename)),
            links,
        }
    }
}

fn mirror_vertex(vertex: Visible) -> Visible {
    match vertex {
        Visible::L => Visible::R,
        Visible::R => Visible::L,
        Visible::X => Visible::X,
    }
}

/// One template: two or three neighbouring items and what they make.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Template {
    /// The number in the paper.
    pub number: u8,
    /// Is this the mirror image of the printed template?
    pub mirrored: bool,
    /// The first item is the initial one (rule 1: `k = i + 1`, no edges).
    pub initial: bool,
    /// The item made.
    pub output: Pattern,
    /// The items combined, from left to right.
    pub inputs: Vec<Pattern>,
}

impl Template {
    /// The template seen in a mirror. Positions keep their names in reading order: `i` and `j` change places, and so do
    /// the two inner vertices of a three-item template.
    fn mirror(&self, output: Option<Pattern>) -> Self {
        let ternary = self.inputs.len() == 3;
        let rename = |name| match name {
            'i' => 'j',
            'j' => 'i',
            'k' if ternary => 'l',
            'l' if ternary => 'k',
            same => same,
        };
        Self {
            number: self.number,
            mirrored: true,
            initial: self.initial,
            output: output.unwrap_or_else(|| self.output.mirror(rename)),
            inputs: self.inputs.iter().rev().map(|input| input.mirror(rename)).collect(),
        }
    }

    /// Which vertex of the template each visible vertex is. The vertices are numbered in order, the external one last.
    pub fn places(&self) -> Places {
        let mut names = vec![self.inputs[0].names.0];
        names.extend(self.inputs.iter().map(|input| input.names.1));
        names.extend(self.output.names.2);
        let place = |name: char| names.iter().position(|&n| n == name);
        let places = |pattern: &Pattern| {
            let (left, right, external) = pattern.names;
            [place(left), place(right), external.and_then(place)]
        };
        Places {
            inputs: self.inputs.iter().map(places).collect(),
            output: places(&self.output),
            vertices: names.len(),
        }
    }

    /// The templates of this family of readings made undirected, see [`Pattern::undirected`]'s source.
    fn undirected(&self) -> Self {
        Self {
            output: self.output.undirected(),
            inputs: self.inputs.iter().map(Pattern::undirected).collect(),
            ..self.clone()
        }
    }

    /// The name used in notes, traces and tests: the paper's number, with a prime for a mirror image.
    pub fn name(&self) -> String {
        format!("({}{})", self.number, if self.mirrored { "'" } else { "" })
    }
}

/// The vertices of a template: for each item its left end, right end and external vertex.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Places {
    /// Each input's vertices.
    pub inputs: Vec<[Option<usize>; 3]>,
    /// The output's vertices.
    pub output: [Option<usize>; 3],
    /// How many vertices there are.
    pub vertices: usize,
}

impl Places {
    /// The vertices that the output no longer shows.
    pub fn hidden(&self) -> impl Iterator<Item = usize> {
        (0..self.vertices).filter(|&vertex| !self.output.contains(&Some(vertex)))
    }
}

/// Which mirror images of a family the algorithm uses.
enum Mirror {
    /// All of them.
    All,
    /// None: the family already contains the mirror image of each of its rules.
    Contained,
    /// Those whose output fits this pattern instead of the family's.
    Only(&'static str),
}

/// The templates with one output.
struct Family {
    output: &'static str,
    mirror: Mirror,
    rules: &'static [&'static str],
}

const FAMILIES: [&Family; 6] = [
    &interval::INTERVAL,
    &both::BOTH,
    &left::LEFT_ONE,
    &left::LEFT_MANY,
    &neither::NEITHER_MANY,
    &neither::NEITHER_ONE,
];

/// All templates, printed and mirrored, in the order of their numbers, a mirror image after its original.
pub fn all() -> Vec<Template> {
    let mut templates = Vec::new();
    for family in FAMILIES {
        for rule in family.rules {
            let template = notation::template(family.output, rule);
            let mirrored = match family.mirror {
                Mirror::All => Some(template.mirror(None)),
                Mirror::Contained => None,
                Mirror::Only(output) => Some(template.mirror(Some(notation::pattern(output)))),
            };
            templates.push(template);
            templates.extend(mirrored);
        }
    }
    templates
}

/// The templates read for undirected graphs. An undirected interval can be read from either end, so only the printed
/// reading (from the left) is kept; templates that differ in the direction of an edge fall together.
pub fn undirected() -> Vec<Template> {
    let mut templates: Vec<Template> = Vec::new();
    for template in all().iter().filter(|t| !(t.mirrored && t.number <= 7)).map(Template::undirected) {
        if !templates.iter().any(|t| t.output == template.output && t.inputs == template.inputs) {
            templates.push(template);
        }
    }
    templates
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_prints_28_templates() {
        let templates = all();
        let printed: Vec<u8> = templates.iter().filter(|t| !t.mirrored).map(|t| t.number).collect();
        assert_eq!(printed, (1..=28).collect::<Vec<u8>>());
        assert_eq!(templates.len(), 48);
    }

    #[test]
    fn a_mirror_image_of_a_mirror_image_is_the_original() {
        for template in all().iter().filter(|t| !t.mirrored) {
            let twice = template.mirror(None).mirror(None);
            assert_eq!((&twice.output, &twice.inputs), (&template.output, &template.inputs));
        }
    }

    #[test]
    fn the_neither_family_contains_its_mirror_images() {
        let neither: Vec<Template> = all().into_iter().filter(|t| t.number >= 21).collect();
        for template in &neither {
            let mirrored = template.mirror(None);
            assert!(neither.iter().any(|t| t.inputs == mirrored.inputs && t.output == mirrored.output));
        }
    }
}
