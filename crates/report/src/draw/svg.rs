//! SVG, as far as the pictures need it.

use std::fmt::{self, Write as _};

use super::measure::is_right_to_left;

/// A picture that is being written.
pub(super) struct Svg {
    body: String,
    width: f64,
    height: f64,
}

/// How a text looks.
#[derive(Clone, Copy)]
pub(super) struct TextStyle {
    pub(super) size: f64,
    pub(super) colour: &'static str,
    pub(super) bold: bool,
    pub(super) italic: bool,
}

/// Where on a text its position is.
#[derive(Clone, Copy)]
pub(super) enum TextAnchor {
    Start,
    Middle,
}

/// How a line looks.
#[derive(Clone, Copy)]
pub(super) struct Stroke {
    pub(super) colour: &'static str,
    pub(super) width: f64,
    pub(super) dashed: bool,
}

const FONTS: &str =
    "Helvetica Neue, Helvetica, Arial, Liberation Sans, Noto Sans, Noto Sans CJK SC, DejaVu Sans, sans-serif";

impl Svg {
    pub(super) fn new() -> Svg {
        Svg { body: String::new(), width: 0.0, height: 0.0 }
    }

    /// Makes the picture reach at least to this point.
    pub(super) fn reach(&mut self, x: f64, y: f64) {
        self.width = self.width.max(x);
        self.height = self.height.max(y);
    }

    /// Writes `text` with its baseline at `y`.
    pub(super) fn text(&mut self, x: f64, y: f64, text: &str, anchor: TextAnchor, style: TextStyle) {
        let anchor = match anchor {
            TextAnchor::Start => "",
            TextAnchor::Middle => " text-anchor=\"middle\"",
        };
        let bold = if style.bold { " font-weight=\"bold\"" } else { "" };
        let italic = if style.italic { " font-style=\"italic\"" } else { "" };
        let direction = if is_right_to_left(text) { " direction=\"rtl\"" } else { "" };
        let TextStyle { size, colour, .. } = style;
        self.line(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\"{anchor} font-size=\"{size}\" fill=\"{colour}\"{bold}{italic}{direction}>{}</text>",
            Escaped(text)
        ));
    }

    /// Draws a line along `path`, in the notation of SVG.
    pub(super) fn path(&mut self, path: &str, stroke: Stroke) {
        let Stroke { colour, width, dashed } = stroke;
        let dashes = if dashed { " stroke-dasharray=\"5 3\"" } else { "" };
        self.line(format_args!("<path d=\"{path}\" stroke=\"{colour}\" stroke-width=\"{width}\"{dashes}/>"));
    }

    /// Draws an arrow's head with its point at `x`, `y`, coming from the side of `from_y`. (Not a marker: those cannot have the colour of
    /// their line everywhere.)
    pub(super) fn arrow_head(&mut self, x: f64, y: f64, from_y: f64, colour: &'static str) {
        let back = if from_y > y { y + 6.0 } else { y - 6.0 };
        let (left, right) = (x - 3.0, x + 3.0);
        self.line(format_args!(
            "<path d=\"M{x:.1},{y:.1} L{left:.1},{back:.1} L{right:.1},{back:.1} Z\" fill=\"{colour}\"/>"
        ));
    }

    /// Draws a box with round corners.
    pub(super) fn rounded_box(&mut self, x: f64, y: f64, width: f64, height: f64, colour: &'static str) {
        self.line(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"4\" fill=\"{colour}\" fill-opacity=\"0.09\" stroke=\"{colour}\" stroke-width=\"0.8\"/>"
        ));
    }

    /// Begins a group of elements with these attributes.
    pub(super) fn open(&mut self, attributes: fmt::Arguments) {
        self.line(format_args!("<g {attributes}>"));
    }

    /// Ends the group.
    pub(super) fn close(&mut self) {
        self.line(format_args!("</g>"));
    }

    /// An invisible box that can be pointed at.
    pub(super) fn handle(&mut self, x: f64, y: f64, width: f64, height: f64) {
        self.line(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"transparent\"/>"
        ));
    }

    /// Puts `other` below what is drawn so far.
    pub(super) fn append_below(&mut self, other: &Svg) {
        let top = self.height;
        self.line(format_args!("<g transform=\"translate(0 {top:.1})\">"));
        self.body.push_str(&other.body);
        self.line(format_args!("</g>"));
        self.reach(other.width, top + other.height);
    }

    fn line(&mut self, element: fmt::Arguments) {
        writeln!(self.body, "{element}").expect("writing to a string");
    }

    /// The whole file. `title` is what screen readers and tooltips say.
    pub(super) fn finish(self, title: &str) -> String {
        let (width, height) = (self.width.ceil(), self.height.ceil());
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"{FONTS}\">\n\
             <title>{}</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
             <g fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n{}</g>\n</svg>\n",
            Escaped(title),
            self.body
        )
    }
}

/// Text with the characters that mean something in XML written out, and those that XML cannot hold replaced.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\u{fffe}' | '\u{ffff}' => f.write_char('\u{fffd}')?,
                control if control.is_control() => f.write_char('\u{fffd}')?,
                other => f.write_char(other)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_cannot_hold_is_written_out_or_replaced() {
        assert_eq!(Escaped("<a & \"b\">\u{1}").to_string(), "&lt;a &amp; &quot;b&quot;&gt;\u{fffd}");
    }
}
