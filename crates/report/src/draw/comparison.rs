//! Gold above guess.

use tracebank_syntax::tree::Tree;

use super::face::{Face, TreeOptions};
use super::marks::Marks;
use super::palette;
use super::svg::{Svg, TextAnchor, TextStyle};
use super::tree::draw;
use super::tree_layout::TreeLayout;
use crate::evaluation::Options;

/// The two trees as an SVG file, with what [differs](Marks) in red boxes: above, what the guess misses; below, what it has too much. If
/// their words are the same, each stands below itself.
///
/// ```
/// use tracebank_report::{draw::comparison_picture, evaluation::Options};
/// let gold = "( (S (NP (N we)) (VP (V go))))".parse()?;
/// let guess = "( (S (NP (N we)) (XP (V go))))".parse()?;
/// assert_eq!(comparison_picture(&gold, &guess, &Options::default()).matches("<rect x=").count(), 2);
/// # Ok::<(), tracebank_syntax::penn::SyntaxError>(())
/// ```
pub fn comparison_picture(gold: &Tree, guess: &Tree, options: &Options) -> String {
    comparison_with(gold, guess, options, &TreeOptions::default())
}

/// [`comparison_picture`] without tags or function tags, if `choices` say so.
pub fn comparison_with(gold: &Tree, guess: &Tree, options: &Options, choices: &TreeOptions) -> String {
    let marks = Marks::between(gold, guess, options);
    let with = |marks| TreeOptions { marks, ..choices.clone() };
    let (gold_options, guess_options) = (with(marks.gold), with(marks.test));
    let (above, below) = (Face::new(gold, &gold_options), Face::new(guess, &guess_options));
    let (mut upper, mut lower) = (TreeLayout::of(&above), TreeLayout::of(&below));
    if gold.words().eq(guess.words()) {
        let (gold_words, guess_words): (Vec<_>, Vec<_>) =
            (gold.word_nodes().collect(), guess.word_nodes().collect());
        TreeLayout::line_up([(&mut upper, &gold_words), (&mut lower, &guess_words)]);
    }
    let mut svg = Svg::new();
    for (heading, face, layout) in [
        ("gold: what the guess misses is marked", above, upper),
        ("guess: what the gold does not have is marked", below, lower),
    ] {
        let mut part = Svg::new();
        let style = TextStyle { size: 12.0, colour: palette::GREY, bold: false, italic: false };
        part.text(14.0, 18.0, heading, TextAnchor::Start, style);
        part.reach(14.0 + super::measure::text_width(heading, 12.0), 22.0);
        svg.append_below(&part);
        svg.append_below(&draw(&face, layout));
    }
    let title: Vec<&str> = gold.words().collect();
    svg.finish(&title.join(" "))
}
