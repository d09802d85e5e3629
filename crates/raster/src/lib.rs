//! SVG pictures as PNG and PDF.
//!
//! The text of a picture is set in `DejaVu Sans`, which comes with the crate, so a picture has the same bytes on every machine. Scripts that
//! it does not have are looked for among the fonts of the system. Whoever needs no such pictures does not compile this crate: it is a
//! large part of a browser.

#![forbid(unsafe_code)]

use std::sync::{Arc, OnceLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, fontdb};
use svg2pdf::{ConversionOptions, PageOptions};
use thiserror::Error;

/// A picture that cannot be made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The SVG is none.
    #[error("this is no SVG: {0}")]
    Svg(#[from] usvg::Error),
    /// The picture has no room, or more than memory should hold.
    #[error(
        "a picture of {width} × {height} points at scale {scale} is beyond the limit of {MOST_PIXELS} pixels"
    )]
    Size {
        /// Its width.
        width: f32,
        /// Its height.
        height: f32,
        /// The scale asked for.
        scale: f32,
    },
    /// The picture cannot be encoded.
    #[error("the picture cannot be written: {0}")]
    Encoding(String),
}

/// The most pixels of a picture: 400 megabytes of them while it is drawn.
pub const MOST_PIXELS: f32 = 1e8;

/// A picture as PNG, with `scale` pixels for each point.
///
/// ```
/// let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><text x="2" y="15" font-family="DejaVu Sans">tea</text></svg>"#;
/// let png = tracebank_raster::png(svg, 2.0)?;
/// assert!(png.starts_with(b"\x89PNG"));
/// # Ok::<(), tracebank_raster::Error>(())
/// ```
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, Error> {
    let tree = read(svg)?;
    let (width, height) = (tree.size().width(), tree.size().height());
    let beyond = Error::Size { width, height, scale };
    let (columns, rows) = ((width * scale).ceil(), (height * scale).ceil());
    if !(1.0..=MOST_PIXELS).contains(&(columns * rows)) {
        return Err(beyond);
    }
    let mut pixels = Pixmap::new(columns as u32, rows as u32).ok_or(beyond)?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| Error::Encoding(error.to_string()))
}

/// A picture as PDF, on a page of its size. Its text is text, to be searched and copied.
///
/// ```
/// let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20"/></svg>"#;
/// assert!(tracebank_raster::pdf(svg)?.starts_with(b"%PDF"));
/// # Ok::<(), tracebank_raster::Error>(())
/// ```
pub fn pdf(svg: &str) -> Result<Vec<u8>, Error> {
    svg2pdf::to_pdf(&read(svg)?, ConversionOptions::default(), PageOptions::default())
        .map_err(|error| Error::Encoding(error.to_string()))
}

fn read(svg: &str) -> Result<usvg::Tree, Error> {
    // Beyond Latin, Greek and Cyrillic the fonts of the system are asked.
    let fonts = if svg
        .chars()
        .all(|character| character < '\u{590}' || ('\u{2000}'..'\u{2600}').contains(&character))
    {
        own_fonts()
    } else {
        all_fonts()
    };
    let options =
        usvg::Options { fontdb: fonts, font_family: "DejaVu Sans".to_owned(), ..usvg::Options::default() };
    Ok(usvg::Tree::from_str(svg, &options)?)
}

fn own_fonts() -> Arc<fontdb::Database> {
    static FONTS: OnceLock<Arc<fontdb::Database>> = OnceLock::new();
    Arc::clone(FONTS.get_or_init(|| Arc::new(embedded())))
}

fn all_fonts() -> Arc<fontdb::Database> {
    static FONTS: OnceLock<Arc<fontdb::Database>> = OnceLock::new();
    Arc::clone(FONTS.get_or_init(|| {
        let mut fonts = embedded();
        fonts.load_system_fonts();
        Arc::new(fonts)
    }))
}

fn embedded() -> fontdb::Database {
    let mut fonts = fontdb::Database::new();
    for font in [dejavu::sans::regular(), dejavu::sans::bold(), dejavu::sans::oblique()] {
        fonts.load_font_data(font.to_vec());
    }
    fonts.set_sans_serif_family("DejaVu Sans");
    fonts
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" width="90000" height="90000"><rect width="1" height="1"/></svg>"#;

    #[test]
    fn a_picture_beyond_the_limit_is_refused_before_memory_is_taken() {
        assert!(matches!(png(BOX, 1.0), Err(Error::Size { .. })));
        assert!(matches!(png("<svg", 1.0), Err(Error::Svg(_))));
    }

    #[test]
    fn text_leaves_ink_without_fonts_of_the_system() {
        let with = |text: &str| {
            png(&format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20"><text x="2" y="15" font-family="Helvetica, DejaVu Sans, sans-serif">{text}</text></svg>"#), 1.0).unwrap()
        };
        assert_ne!(with("tea"), with(""));
        assert_eq!(with("tea"), with("tea"));
    }
}
