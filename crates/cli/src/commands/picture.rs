//! Pictures as files: SVG as it is, PNG and PDF made of it.

use std::path::Path;

use miette::Result;

use crate::failure::Failure;
use crate::output::Output;

/// A kind of picture, by the ending of its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Svg,
    Png,
    Pdf,
}

impl Kind {
    /// The kind that a file's name promises; a name that promises nothing is SVG.
    pub(crate) fn of(path: &Path) -> Result<Kind> {
        let name = path.to_string_lossy().to_lowercase();
        let name = name.trim_end_matches(".gz");
        match name.rsplit_once('.').map(|(_, ending)| ending) {
            Some("png") => Ok(Kind::Png),
            Some("pdf") => Ok(Kind::Pdf),
            Some(ending @ ("jpg" | "jpeg" | "gif" | "webp" | "ps" | "eps")) => {
                let ending = ending.to_uppercase();
                Err(Failure(format!("pictures are written as SVG, PNG or PDF, not as {ending}")).into())
            }
            _ => Ok(Kind::Svg),
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

/// Writes a picture to a file, as its name wants it.
pub(crate) fn write(svg: &str, path: &Path, force: bool) -> Result<()> {
    let bytes = Kind::of(path)?.bytes(svg)?;
    let mut output = Output::file(path, force)?;
    output.write_bytes(&bytes)?;
    output.finish()
}
