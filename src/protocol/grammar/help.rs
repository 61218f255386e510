//! What `help` teaches. The manual with examples is `protocol.md`.

use crate::protocol::grammar::keyword::Keyword;
use outflank_rules::rules::Ruleset;

/// What is said of a command.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) struct Topic {
    /// How it is written.
    pub usage: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// The rest.
    pub details: &'static [&'static str],
}

const fn new(usage: &'static str, summary: &'static str, details: &'static [&'static str]) -> Topic {
    Topic { usage, summary, details }
}

/// What is said of each command, in the order of [`Keyword::ALL`].
const TOPICS: [Topic; Keyword::ALL.len()] = [
    new("sei", "name the engine and its options", &["The answer ends with seiok."]),
    new(
        "isready",
        "answer readyok",
        &["Idle, once every earlier line is answered; while thinking, at once."],
    ),
    new(
        "setoption name <n> [value <v>]",
        "set an option",
        &["sei lists the options. Seed makes play repeatable: with equal Seed and go nodes, the same game."],
    ),
    new(
        "rules [<preset>] [key=value ...]",
        "choose or print the rule system",
        &[
            "Presets: 1961 vassal gameboard wiki isf gravon evaluator. isf is in force at the start.",
            "A preset resets every key; keys change the set in force. Before the first ply only.",
        ],
    ),
    new(
        "newgame [red|blue] [rules [<preset>] [key=value ...]]",
        "clear the game",
        &["Options and rules stay. Without a colour, our side is the one whose ranks are told."],
    ),
    new(
        "setup red|blue <40 characters>|?|auto",
        "tell an army",
        &[
            "As its owner sees it, back row first, left to right: F S 2..9 M B, ? hidden, . empty.",
            "auto is an army of the engine's choice; it answers with it.",
            "A lone ? is forty hidden pieces. Both armies told: a study, with each side's thoughts its own.",
        ],
    ),
    new(
        "position <board> <turn> <viewer> <captured> <quiet> <ply> [key=value ...] [moves <mv> ...]",
        "take a position over",
        &["The six fields are an SPN text; d prints one. Ends a desync."],
    ),
    new(
        "play <mv> [<mv> ...]",
        "tell what was played, by either side",
        &[
            "a4a5 moves, e4xe5 strikes. A strike whose outcome does not follow needs its result:",
            "e4xe5=W95 (win, loss or tie for the striker, its rank, the defender's, ? if not told).",
            "b9b10+5@c2 hands a captured 5 back on c2, where the rules have rescues; ? if it is not told.",
            "All of the moves are made or none. Silent when fine; after an error, undo 0 goes on.",
        ],
    ),
    new(
        "undo [n]",
        "take n plies back, one if n is left out",
        &[
            "undo 0 says that the game is as it should be, and ends a desync. After gameover, the game goes on.",
        ],
    ),
    new("history", "print the plies made, with their results", &[]),
    new("status", "print the state in one line", &["Answered at once while thinking too."]),
    new(
        "go [setup] [movetime ms] [nodes n] [depth n] [rtime ms btime ms rinc ms binc ms] [infinite] [searchmoves <mv> ...]",
        "choose an action, or a setup",
        &[
            "Without a limit, a second. The first limit reached ends it. Ends with exactly one bestmove",
            "<mv>|resign|none, or bestsetup. The engine plays nothing by itself: tell it with play.",
        ],
    ),
    new("stop", "end the thinking now", &["The bestmove comes at once. Idle, nothing happens."]),
    new(
        "wait",
        "hold later lines until the thinking has ended",
        &["For scripts. isready, stop, status and quit are not held."],
    ),
    new("quit", "end the program", &["While thinking, the bestmove comes first. exit does the same."]),
    new(
        "gameover red|blue|draw [reveal <board>]",
        "tell how the game ended",
        &["With the whole board (as in SPN) revealed, what was believed in the game is scored against it."],
    ),
    new(
        "belief [<square>|all|ours|dead] [json] | belief sample <n>",
        "what hidden pieces may be, in parts per million",
        &[
            "all (the default): hidden enemy pieces, then their unknown dead. ours: what the enemy may",
            "think of ours. sample: n whole armies drawn at random from the belief.",
        ],
    ),
    new("legal", "the legal moves on one line", &[]),
    new(
        "d [<rank> [ours]]",
        "draw the board, or a map of where a rank may be",
        &[
            "d 9, d general: the enemy's general. d 9 ours: where the enemy may think that ours is.",
            "Drawn lines begin with two blanks; the position's SPN ends the drawing.",
        ],
    ),
    new(
        "eval",
        "the parts of the evaluation",
        &["In points of which a captain is worth 80, for us; in a study for the side to move."],
    ),
    new(
        "why <mv>|<square>",
        "what speaks for and against a move, or is behind a belief",
        &[
            "A move: what is known and believed of the target, the outcomes' chances, the worth before and after.",
            "A square: the facts, what each likelihood says of the piece there, and what it makes of its chances.",
        ],
    ),
    new(
        "perft <n>",
        "count the sequences of n plies",
        &["n from 1 to 32. Both armies must be told. stop ends it."],
    ),
    new(
        "bench [<nodes>] [threads <n>]",
        "measure the engine on recorded games",
        &["On one thread, equal builds print equal signatures, whatever the options. stop ends it."],
    ),
    new("help [<command>]", "this list, or more about one command", &[]),
];

/// What is said of `keyword`.
pub(crate) const fn topic(keyword: Keyword) -> Topic {
    TOPICS[keyword as usize]
}

/// The list of commands, or all about one.
pub(crate) fn lines(keyword: Option<Keyword>) -> impl Iterator<Item = String> {
    let lines = match keyword {
        None => overview(),
        Some(keyword) => {
            let topic = topic(keyword);
            let mut lines = vec![topic.usage.to_owned(), format!("  {}", topic.summary)];
            lines.extend(topic.details.iter().map(|detail| format!("  {detail}")));
            if keyword == Keyword::Rules {
                lines.extend(
                    Ruleset::keys().map(|key| format!("  {:<12} {}: {}", key.name, key.takes, key.about)),
                );
            }
            lines
        }
    };
    lines.into_iter()
}

fn overview() -> Vec<String> {
    let mut lines = vec!["One command a line; # starts a comment. help <command> tells more.".to_owned()];
    lines.extend(Keyword::ALL.map(|keyword| format!("{:<10} {}", keyword.name(), topic(keyword).summary)));
    lines.push("A first game: setup red auto, go, play <its move and the enemy's>, d.".to_owned());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_topic_is_about_its_command() {
        for keyword in Keyword::ALL {
            let usage = topic(keyword).usage;
            assert_eq!(usage.split(' ').next(), Some(keyword.name()), "{keyword:?}");
            assert_eq!(Keyword::from_name(keyword.name()), Some(keyword));
        }
    }
}
