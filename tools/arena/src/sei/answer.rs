//! What an engine's lines mean.

use outflank_record::bounds::MOST_NODES;

/// What chances in permille add up to.
const WHOLE: u32 = 1000;

/// A line of an engine.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(super) enum Answer<'a> {
    /// `id <what> <text>`
    Id(&'a str, &'a str),
    /// `protocol <version>`
    Protocol(&'a str),
    /// `option name <name> ...`
    Offers(&'a str),
    /// `seiok`
    Hello,
    /// `readyok`
    Ready,
    /// `bestmove <text>`
    Best(&'a str),
    /// `bestsetup <text>`
    Setup(&'a str),
    /// `info ...`
    Info(Info),
    /// `info ...` with a value that the protocol does not have: what it is.
    Impossible(&'static str),
    /// `error <code> <text>`
    Error(&'a str),
    /// Anything else; engines may say more than hosts know.
    Other,
}

/// What a host uses of an `info` line.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Info {
    pub(super) nodes: Option<u64>,
    /// Permille to win, draw and lose.
    pub(super) chances: Option<[u32; 3]>,
}

impl<'a> Answer<'a> {
    pub(super) fn read(line: &'a str) -> Answer<'a> {
        let (word, rest) = split(line);
        match word {
            "id" => {
                let (what, text) = split(rest);
                Answer::Id(what, text)
            }
            "protocol" => Answer::Protocol(rest),
            "option" => match split(rest) {
                ("name", text) => Answer::Offers(split(text).0),
                _ => Answer::Other,
            },
            "seiok" => Answer::Hello,
            "readyok" => Answer::Ready,
            "bestmove" => Answer::Best(rest),
            "bestsetup" => Answer::Setup(rest),
            "info" => info(rest).map_or_else(Answer::Impossible, Answer::Info),
            "error" => Answer::Error(rest),
            _ => Answer::Other,
        }
    }
}

/// The first word and the rest.
fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim_start())
}

/// Lines other than the first best one are none of ours, nor are texts.
///
/// # Errors
/// If it has a value that no host may believe.
fn info(text: &str) -> Result<Info, &'static str> {
    let (mut info, mut words) = (Info::default(), text.split_whitespace());
    while let Some(word) = words.next() {
        match word {
            "string" | "pv" => break,
            "multipv" if words.next() != Some("1") => return Ok(Info::default()),
            "nodes" => {
                let count = words.next().and_then(|count| count.parse().ok());
                info.nodes =
                    Some(count.filter(|count| *count <= MOST_NODES).ok_or("no such number of nodes")?);
            }
            "wdl" => {
                let mut next = || words.next()?.parse::<u32>().ok().filter(|share| *share <= WHOLE);
                let chances = next().and_then(|won| Some([won, next()?, next()?]));
                let whole = chances.filter(|chances| chances.iter().sum::<u32>() == WHOLE);
                info.chances = Some(whole.ok_or("no chances in permille")?);
            }
            _ => {}
        }
    }
    Ok(info)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_mean_what_the_protocol_says() {
        assert_eq!(Answer::read("id name Outflank the second"), Answer::Id("name", "Outflank the second"));
        assert_eq!(Answer::read("option name Seed type string default random"), Answer::Offers("Seed"));
        assert_eq!(Answer::read("bestmove  a4a5 "), Answer::Best("a4a5"));
        assert_eq!(Answer::read("bestmove"), Answer::Best(""));
        assert_eq!(Answer::read("error move no"), Answer::Error("move no"));
        assert_eq!(Answer::read("  a drawing"), Answer::Other);
        assert_eq!(Answer::read(""), Answer::Other);
        let info = Info { nodes: Some(77), chances: Some([625, 26, 349]) };
        let line = "info depth 2 time 0 nodes 77 nps 163829 wdl 625 26 349 pv f4f5 b7b6";
        assert_eq!(Answer::read(line), Answer::Info(info));
        let second = "info depth 2 multipv 2 time 0 nodes 77 nps 163829 wdl 625 26 349 pv f4f5";
        assert_eq!(Answer::read(second), Answer::Info(Info::default()));
        assert_eq!(Answer::read("info string nodes 5"), Answer::Info(Info::default()));
        assert_eq!(Answer::read("info string wdl 7 7 7"), Answer::Info(Info::default()));
    }

    #[test]
    fn values_outside_the_protocol_are_none() {
        for wrong in [
            "nodes x wdl 1 2",
            "nodes",
            "nodes -1",
            "nodes 18446744073709551615",
            "nodes 1000000000000001",
            "wdl 400000 900 0",
            "wdl 4294967295 4294967295 4294967295",
            "wdl 4294966296 1000 1000",
            "wdl 500 500",
            "wdl 333 333 333",
            "wdl -1 1001 0",
        ] {
            assert!(matches!(Answer::read(&format!("info {wrong}")), Answer::Impossible(_)), "{wrong}");
        }
    }
}
