//! What of an answer is compared with the one that is written down: numbers wherever neither time nor chance is in
//! them.

/// How far equal lines have equal answers.
#[derive(Copy, Clone, Default)]
pub(crate) struct Luck {
    /// The host has set the seed.
    seeded: bool,
    /// Threads given, 0 before any are.
    threads: usize,
    /// Something that was thought before, and is still believed, depended on time or on luck.
    believed: bool,
    /// What the line just said chooses depends on one of them.
    chosen: bool,
}

impl Luck {
    /// Takes in a line said.
    pub(crate) fn hear(&mut self, said: &str) {
        let words: Vec<&str> = said.split_ascii_whitespace().collect();
        let limited = words.iter().any(|word| matches!(*word, "nodes" | "depth"));
        let timed = words.iter().any(|word| matches!(*word, "movetime" | "rtime" | "btime" | "infinite"));
        match words.as_slice() {
            ["setoption", "name", name, "value", seed] if name.eq_ignore_ascii_case("Seed") => {
                self.seeded = seed.parse::<u64>().is_ok();
            }
            ["setoption", "name", "Threads", "value", threads] => {
                self.threads = threads.parse().unwrap_or(self.threads);
            }
            ["newgame", ..] => self.believed = false,
            ["go", "setup"] => self.chosen = !self.seeded,
            ["go", ..] => {
                self.chosen = self.believed || self.threads > 1 || !self.seeded || !limited || timed;
            }
            ["belief", "sample", _] => self.chosen = self.believed || !self.seeded,
            _ => {}
        }
    }

    /// Takes in the answers: what has been thought about an enemy's move stays believed.
    pub(crate) fn note(&mut self, answers: &[String]) {
        let thought = answers.iter().any(|line| line.starts_with("bestmove ") && line != "bestmove none");
        self.believed |= self.chosen && thought;
    }
}

/// Numbers after a blank or a colon that are neither nothing nor everything become `n`.
fn without_numbers(line: &str) -> String {
    let mut text = String::new();
    let mut before = ' ';
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
        if !number.is_empty() && matches!(before, ' ' | ':') {
            text.push_str(if number == "0" || number == "1000000" { &number } else { "n" });
            rest = &rest[number.len()..];
            before = 'n';
        } else {
            text.push(c);
            rest = &rest[c.len_utf8()..];
            before = c;
        }
    }
    text
}

fn first_words(line: &str, count: usize) -> String {
    line.split(' ').take(count).collect::<Vec<_>>().join(" ")
}

/// The numbers after these words become `n`.
fn without(words: &[&str], line: &str) -> String {
    let mut before = "";
    let mut masked = |word| {
        let hides = words.contains(&before);
        before = word;
        if hides { "n" } else { word }
    };
    line.split(' ').map(&mut masked).collect::<Vec<_>>().join(" ")
}

/// An answer reduced to what must come out the same; `None` if it need not come at all.
pub(crate) fn form(said: &str, line: &str, luck: Luck) -> Option<String> {
    let words: Vec<&str> = line.split(' ').collect();
    let exactly = || Some(without(&["time", "nps"], line));
    match words.as_slice() {
        // A search of half a second at most.
        ["why", "search", ..] => None,
        ["bestmove", "none" | "resign"] => exactly(),
        ["status", ..] => Some(if luck.seeded { line.to_owned() } else { without(&["seed"], line) }),
        ["info", "depth", ..] => {
            if luck.chosen {
                None
            } else {
                exactly()
            }
        }
        ["bestmove" | "bestsetup", ..] => {
            if luck.chosen {
                Some(words[0].to_owned())
            } else {
                exactly()
            }
        }
        ["world", places @ ..] if luck.chosen => {
            let places: Vec<&str> = places.iter().filter_map(|place| place.split('=').next()).collect();
            Some(format!("world {}", places.join(" ")))
        }
        _ if luck.believed => loosely(said, line, &words),
        _ => exactly(),
    }
}

/// What is comparable of an answer that hangs on what was thought before; `None` if nothing is.
fn loosely(said: &str, line: &str, words: &[&str]) -> Option<String> {
    let map = said.starts_with("d ") && line.starts_with("  ");
    Some(match words {
        _ if map => return None,
        // The table of `why <square>`: which rows it has.
        _ if said.starts_with("why ") && line.starts_with("  ") => line.chars().take(24).collect(),
        ["eval", "total", _] => "eval total".to_owned(),
        ["eval", _, _] => return None,
        ["why", "eval" | "believed", ..] => first_words(line, 3),
        ["why", "place" | "firstmove" | "rescued" | "neighbours" | "contact" | "types", ..] => {
            first_words(line, 3)
        }
        ["info", "string", "belief", ..] | ["belief", ..] | ["why", "chances", ..] => without_numbers(line),
        _ => without(&["time", "nps"], line),
    })
}

pub(crate) fn forms(said: &str, lines: &[String], luck: Luck) -> Vec<String> {
    lines.iter().filter_map(|line| form(said, line, luck)).collect()
}
