//! The encoding that a file is in.

use anyhow::{Context, anyhow};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// The text of a file: in the encoding of its byte order mark, or that of its XML declaration, or UTF-8.
///
/// # Errors
/// If the encoding is none that is known, or the bytes are not in it.
pub fn decode(bytes: Vec<u8>) -> anyhow::Result<String> {
    let (encoding, mark) = match Encoding::for_bom(&bytes) {
        Some(found) => found,
        None => (declared(&bytes)?, 0),
    };
    if encoding == UTF_8 {
        return of_utf8(bytes);
    }
    let text = encoding.decode_without_bom_handling_and_without_replacement(&bytes[mark..]);
    let text = text.with_context(|| format!("it is not {}, as it should be", encoding.name()))?;
    Ok(text.into_owned())
}

fn of_utf8(bytes: Vec<u8>) -> anyhow::Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.split(|&byte| byte == b'\n').count();
        anyhow!("line {line} is not UTF-8, and no other encoding is declared")
    })
}

/// The encoding that the declaration of a document names; UTF-8 without one.
///
/// # Errors
/// If nothing is known by that name.
pub(crate) fn declared(document: &[u8]) -> anyhow::Result<&'static Encoding> {
    for (start, encoding) in [(b"<\0?\0", UTF_16LE), (b"\0<\0?", UTF_16BE)] {
        if document.starts_with(start) {
            return Ok(encoding);
        }
    }
    let Some(label) = label(document.trim_ascii_start()) else { return Ok(UTF_8) };
    let name = String::from_utf8_lossy(label);
    let found = Encoding::for_label(label).with_context(|| format!("its encoding {name:?} is not known"))?;
    // Whoever could read the name so far reads no UTF-16.
    Ok(found.output_encoding())
}

fn label(document: &[u8]) -> Option<&[u8]> {
    let declaration = document.strip_prefix(b"<?xml")?.split(|&byte| byte == b'>').next()?;
    let name = b"encoding";
    let at = declaration.windows(name.len()).position(|window| window == name)?;
    let value = declaration[at + name.len()..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let (mark, value) = value.split_first()?;
    value.split(|byte| byte == mark).next()
}
