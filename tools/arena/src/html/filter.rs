//! Filters of the index: lists to choose from, and rules of style that hide the other rows. They need no script.

use outflank_pages::template::escape;
use std::fmt::Write;

/// What rows can be chosen by, and what there is to choose from.
pub(super) struct Filter {
    name: &'static str,
    label: &'static str,
    choices: Vec<String>,
}

impl Filter {
    /// The filter by these values, each once, in the order in which they come.
    pub(super) fn new(
        name: &'static str,
        label: &'static str,
        values: impl IntoIterator<Item = String>,
    ) -> Filter {
        let mut choices = Vec::new();
        for value in values {
            if !choices.contains(&value) {
                choices.push(value);
            }
        }
        Filter { name, label, choices }
    }

    /// The attribute of a row that has these values.
    pub(super) fn attribute(&self, values: &[&str]) -> String {
        let has = |choice: &String| values.contains(&choice.as_str());
        let places = self.choices.iter().enumerate().filter(|(_, choice)| has(choice));
        let numbers: Vec<String> = places.map(|(place, _)| place.to_string()).collect();
        format!(" data-{}=\"{}\"", self.name, numbers.join(" "))
    }

    /// The list to choose from; nothing where there is no choice.
    pub(super) fn list(&self) -> String {
        if self.choices.len() < 2 {
            return String::new();
        }
        let mut list =
            format!("<label>{} <select id=\"{}\"><option value=\"all\">all</option>", self.label, self.name);
        for (place, choice) in self.choices.iter().enumerate() {
            let _ = write!(list, "<option value=\"{place}\">{}</option>", escape(choice));
        }
        list + "</select></label>"
    }

    /// The rules that hide what was not chosen.
    pub(super) fn rules(&self) -> String {
        let name = self.name;
        let rule = |place| {
            format!(
                "body:has(#{name} option[value=\"{place}\"]:checked) tbody tr:not([data-{name}~=\"{place}\"]) \
                 {{ display: none; }}\n"
            )
        };
        (0..self.choices.len()).map(rule).collect()
    }
}
