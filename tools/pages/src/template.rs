//! Filling in templates, and making text harmless in HTML.

use serde::Serialize;

/// The template with `{{name}}` replaced by the value of that name. Values are not looked through again: a player may
/// be called `{{data}}`.
pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        filled.push_str(before);
        let known = after.split_once("}}").and_then(|(name, after)| {
            let (_, value) = values.iter().find(|(other, _)| *other == name)?;
            Some((value, after))
        });
        if let Some((value, _)) = known {
            filled.push_str(value);
        } else {
            filled.push_str("{{");
        }
        rest = known.map_or(after, |(_, after)| after);
    }
    filled + rest
}

/// Text for HTML, between tags or in an attribute between quotes.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// JSON that can stand inside a `script` element: nothing in it ends or begins a tag. These letters occur in its
/// strings only, where an escape means the same.
pub(super) fn json(data: &impl Serialize) -> anyhow::Result<String> {
    let text = serde_json::to_string(data)?;
    Ok(text.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_not_looked_through_again() {
        let values = [("a", "{{b}}"), ("b", "x")];
        assert_eq!(fill("{{a}} {{b}} {{c}} {{", &values), "{{b}} x {{c}} {{");
    }

    #[test]
    fn text_and_json_cannot_open_a_tag() {
        assert_eq!(escape("<b a='\"'>&"), "&lt;b a=&#39;&quot;&#39;&gt;&amp;");
        let text = json(&"</script><!--&\u{2028}").unwrap();
        assert!(!text.contains(['<', '>', '&']), "{text}");
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), "</script><!--&\u{2028}");
    }
}
