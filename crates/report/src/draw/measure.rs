//! The width of a text, guessed without knowing its font.

use unicode_width::UnicodeWidthChar;

/// Widths of characters of a sans-serif font, in parts of the font size. They follow a wide font (`DejaVu Sans`), as a text may
/// take less room than it was given but not more.
const WIDTHS: [(&str, f64); 4] = [
    ("ijlI|!.,:;'`", 0.34),
    ("ftr()[]{}-/\\\" *", 0.5),
    ("mwMW%@", 0.98),
    ("ABCDEFGHJKLNOPQRSTUVXYZ&", 0.76),
];

/// Other characters that take one column in a terminal, and those that take two.
const NARROW: f64 = 0.64;
const WIDE: f64 = 1.05;

/// The width of `text` at `font_size`.
///
/// ```
/// use tracebank_report::draw::measure::text_width;
/// assert!(text_width("木", 10.0) > text_width("a", 10.0));
/// assert_eq!(text_width("e\u{301}", 10.0), text_width("e", 10.0), "a combining accent takes no room");
/// ```
pub fn text_width(text: &str, font_size: f64) -> f64 {
    text.chars().map(character_width).sum::<f64>() * font_size
}

fn character_width(character: char) -> f64 {
    if let Some((_, width)) = WIDTHS.iter().find(|(class, _)| class.contains(character)) {
        return *width;
    }
    match character.width() {
        Some(2) => WIDE,
        Some(0) | None => 0.0,
        Some(_) => NARROW,
    }
}

/// Blocks of scripts that are written from right to left: Hebrew to Arabic with their extensions, their presentation forms, and the
/// historical and African scripts further up.
const RIGHT_TO_LEFT: [(char, char); 4] =
    [('\u{590}', '\u{8ff}'), ('\u{fb1d}', '\u{fdff}'), ('\u{fe70}', '\u{feff}'), ('\u{10800}', '\u{10fff}')];

/// Whether the first letter of `text` belongs to a script that is written from right to left.
pub fn is_right_to_left(text: &str) -> bool {
    let first = text.chars().find(|character| character.is_alphabetic());
    first.is_some_and(|letter| RIGHT_TO_LEFT.iter().any(|&(from, to)| (from..=to).contains(&letter)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_letter_gives_the_direction() {
        assert!(is_right_to_left("שלום") && is_right_to_left("(مرحبا)"));
        assert!(!is_right_to_left("hello") && !is_right_to_left("123") && !is_right_to_left("木"));
    }

    #[test]
    fn widths_grow_with_the_text() {
        assert!(text_width("WHADVP", 10.0) > text_width("whadvp", 10.0));
        assert!(text_width("", 10.0).abs() < f64::EPSILON);
    }
}
