//! Pictures as files: SVG as it is, PNG and PDF made of it.

use std::path::Path;

use miette::Result;

use crate::failure::Failure;
use crate::output::{Output, promised};

/// A kind of picture, by the ending of its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Svg,
    Png,
    Pdf,
}

/// The endings that promise a kind of picture; a name without one of them is as good for SVG as any other.
const KINDS: [(&str, Kind); 3] = [("svg", Kind::Svg), ("png", Kind::Png), ("pdf", Kind::Pdf)];

/// The endings of what no picture is written as, and what to do instead.
const OTHERS: [(&str, &str); 7] = [
    ("tex", "--to forest and --to qtree write LaTeX"),
    ("jpg", ""),
    ("jpeg", ""),
    ("gif", ""),
    ("webp", ""),
    ("ps", ""),
    ("eps", ""),
];

impl Kind {
    /// The kind that a file's name promises.
    pub(crate) fn of(path: &Path) -> Result<Kind> {
        if let Some((ending, instead)) = promised(path, &OTHERS) {
            let why = format!("pictures are written as SVG, PNG or PDF, not as {}", ending.to_uppercase());
            let why = if instead.is_empty() { why } else { format!("{why}: {instead}") };
            return Err(Failure(why).into());
        }
        Ok(promised(path, &KINDS).map_or(Kind::Svg, |(_, kind)| kind))
    }

    /// Refuses a name that promises a picture, for a file that is to hold LaTeX.
    pub(crate) fn refuse(path: &Path) -> Result<()> {
        match promised(path, &KINDS) {
            Some((ending, _)) => {
                let ending = ending.to_uppercase();
                Err(Failure(format!(
                    "{}: LaTeX is asked for, and this is the name of {ending}",
                    path.display()
                ))
                .into())
            }
            None => Ok(()),
        }
    }

    /// The bytes of a file of this kind.
    #[cfg(feature = "pictures")]
    fn bytes(self, svg: &str) -> Result<Vec<u8>> {
        let made = match self {
            Kind::Svg => return Ok(svg.as_bytes().to_vec()),
            Kind::Png => tracebank_raster::png(svg, 2.0),
            Kind::Pdf => tracebank_raster::pdf(svg),
        };
        Ok(made.map_err(|error| Failure(error.to_string()))?)
    }

    #[cfg(not(feature = "pictures"))]
    fn bytes(self, svg: &str) -> Result<Vec<u8>> {
        match self {
            Kind::Svg => Ok(svg.as_bytes().to_vec()),
            _ => Err(Failure(
                "this program was built without PNG and PDF: the feature `pictures` has them".to_owned(),
            )
            .into()),
        }
    }
}

/// A picture to be, whose file is open before there is anything to draw.
pub(crate) struct Canvas {
    kind: Kind,
    output: Output,
}

impl Canvas {
    /// The picture at `path`, of the kind that its name promises.
    pub(crate) fn open(path: &Path, force: bool) -> Result<Canvas> {
        Ok(Canvas { kind: Kind::of(path)?, output: Output::file(path, force)? })
    }

    /// Writes it.
    pub(crate) fn write(mut self, svg: &str) -> Result<()> {
        self.output.write_bytes(&self.kind.bytes(svg)?)?;
        self.output.finish()
    }
}
