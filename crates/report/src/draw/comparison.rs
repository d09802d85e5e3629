//! Gold above guess.

use tracebank_syntax::tree::Tree;

use super::marks::Marks;
use super::palette;
use super::svg::{Svg, TextAnchor, TextStyle};
use super::tree::draw;
use crate::evaluation::Options;

/// The two trees as an SVG file, with what [differs](Marks) in red boxes: above, what the guess misses; below, what it has too much.
///
/// ```
/// use tracebank_report::{draw::comparison_picture, evaluation::Options};
/// let gold = "( (S (NP (N we)) (VP (V go))))".parse()?;
/// let guess = "( (S (NP (N we)) (XP (V go))))".parse()?;
/// assert_eq!(comparison_picture(&gold, &guess, &Options::default()).matches("<rect x=").count(), 2);
/// # Ok::<(), tracebank_syntax::penn::SyntaxError>(())
/// ```
pub fn comparison_picture(gold: &Tree, guess: &Tree, options: &Options) -> String {
    let marks = Marks::between(gold, guess, options);
    let mut svg = Svg::new();
    for (heading, tree, marks) in [
        ("gold: what the guess misses is marked", gold, &marks.gold),
        ("guess: what the gold does not have is marked", guess, &marks.test),
    ] {
        let mut part = Svg::new();
        let style = TextStyle { size: 12.0, colour: palette::GREY, bold: false, italic: false };
        part.text(14.0, 18.0, heading, TextAnchor::Start, style);
        part.reach(14.0 + super::measure::text_width(heading, 12.0), 22.0);
        svg.append_below(&part);
        svg.append_below(&draw(tree, marks));
    }
    let title: Vec<&str> = gold.words().collect();
    svg.finish(&title.join(" "))
}
