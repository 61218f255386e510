//! What the tests share: random games, and conversions of whole texts.

use outflank::deployment::shuffled;
use outflank::rng::Rng;
use outflank::rules::{BySide, Played, Ruleset, Side};
use outflank_convert::convert::{At, Notes, Options, convert};
use outflank_convert::format::Format;
use outflank_convert::game::Game;
use outflank_convert::source::entries;
use outflank_record::{Decision, Outcome, parse_rules, truth};
use outflank_referee::Referee;

/// A short game written by hand.
pub(crate) const SAMPLE: &str = include_str!("../data/sample.xml");

/// The rules of the archive.
pub(crate) fn gravon() -> Ruleset {
    parse_rules("gravon").unwrap()
}

/// Conversion of games at their start, under Gravon's rules.
pub(crate) fn to(format: Format) -> Options {
    Options { to: format, rules: gravon(), viewer: None, at: At::Ply(0), turn: Side::Red }
}

/// Converts a whole text; stops at the first error, with the line it came from.
pub(crate) fn converted(
    text: &str,
    from: Format,
    options: &Options,
) -> Result<(String, Vec<String>), String> {
    let (mut lines, mut notes) = (String::new(), Notes::default());
    for (number, (line, source)) in entries(text, from, options.rules).enumerate() {
        let texts = source.and_then(|source| convert(&source, options, number as u64, &mut notes));
        lines.extend(texts.map_err(|error| format!("line {line}: {error:#}"))?);
    }
    Ok((lines, notes.iter().map(|(note, _)| note.to_owned()).collect()))
}

/// The text alone, of a conversion that leaves nothing out.
pub(crate) fn lossless(text: &str, from: Format, to_format: Format) -> String {
    let (text, notes) = converted(text, from, &to(to_format)).unwrap();
    assert_eq!(notes, Vec::<String>::new());
    text
}

/// A game of random actions that ends by the rules, or after `most` plies by what somebody decides.
pub(crate) fn random_game(rules: Ruleset, most: u32, players: [String; 2], rng: &mut Rng) -> Game {
    let setups = BySide::from_fn(|_| shuffled(&rules, rng));
    let mut referee = Referee::new(rules, &setups[Side::Red], &setups[Side::Blue]).unwrap();
    let mut played: Vec<Played> = Vec::new();
    while referee.ending().is_none() && referee.ply() < most {
        let actions = referee.actions();
        let mover = referee.to_move();
        let events = referee.play(actions[rng.below(actions.len())]).unwrap();
        played.push(truth(&events, mover).unwrap());
    }
    let decided = || {
        let decision = Decision::ALL[rng.below(Decision::ALL.len())];
        let mut winners = vec![Some(Side::Red), Some(Side::Blue), None];
        winners.retain(|winner| decision.check(*winner).is_ok());
        Outcome::of_decision(winners[rng.below(winners.len())], decision)
    };
    let outcome = Some(referee.ending().map_or_else(decided, Outcome::of));
    Game { rules, setups, moves: played, players, outcome }
}
