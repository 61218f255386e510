//! A link as a picture that telephones read.

use qrcode::render::svg::Color;
use qrcode::types::QrError;
use qrcode::{EcLevel, QrCode};

/// A link as a QR code, as SVG: black on white whatever the page's colours are.
pub(super) fn svg(link: &str) -> Result<String, QrError> {
    let code = QrCode::with_error_correction_level(link, EcLevel::M)?;
    Ok(code.render::<Color<'_>>().min_dimensions(200, 200).build())
}
