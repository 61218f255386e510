//! Commands that are given in one text, as a shell would take them: blanks part words, quotes and backslashes keep them
//! together.

use anyhow::Context;
use std::path::Path;

/// The words of a text.
///
/// # Errors
/// If a quote has no end.
pub fn split(text: &str) -> anyhow::Result<Vec<String>> {
    shell_words::split(text).with_context(|| format!("in {text:?}"))
}

/// A text that is split into these words again.
pub fn join(words: &[String]) -> String {
    shell_words::join(words)
}

/// A program and its arguments. A text that is the path of a file as it stands is that file, blanks and all.
///
/// # Errors
/// If there is no program, or a quote has no end.
pub fn program(text: &str) -> anyhow::Result<(String, Vec<String>)> {
    if Path::new(text).is_file() {
        return Ok((text.to_owned(), Vec::new()));
    }
    let mut words = split(text)?.into_iter();
    let program = words.next().filter(|word| !word.is_empty()).context("there is no command")?;
    Ok((program, words.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_keep_words_together() {
        let words = split("a 'b c' \"d e\" f\\ g ''").unwrap();
        assert_eq!(words, ["a", "b c", "d e", "f g", ""]);
        assert_eq!(split(&join(&words)).unwrap(), words);
        assert!(split("a 'b").unwrap_err().to_string().contains("a 'b"));
        assert_eq!(split("  ").unwrap(), [""; 0]);
    }

    #[test]
    fn a_program_may_stand_in_a_folder_with_a_blank() {
        let file = tempfile::Builder::new().prefix("an engine ").tempfile().unwrap();
        let path = file.path().display().to_string();
        assert_eq!(program(&path).unwrap(), (path.clone(), vec![]));
        let quoted = format!("\"{path}\" --nodes '5 6'");
        assert_eq!(program(&quoted).unwrap(), (path, vec!["--nodes".to_owned(), "5 6".to_owned()]));
        assert_eq!(program("engine -v").unwrap(), ("engine".to_owned(), vec!["-v".to_owned()]));
        assert!(program(" ").is_err() && program("''").is_err() && program("'engine").is_err());
    }
}
