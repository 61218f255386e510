//! Plies, and how games end, in words.

use crate::game::End;
use outflank::rules::{Action, Ending, Outcome, Played, Rank, Reason, Rescue, Side, Verdict};

/// A ply in words, as the player of `person` sees it; `mover` made it.
pub fn sentence(played: &Played, mover: Side, person: Side) -> String {
    let Action { from, to, rescue } = played.action;
    let ours = mover == person;
    let what = match (played.verdict, ours) {
        (None, true) => format!("You move {from} to {to}"),
        (None, false) => {
            let scout = if played.action.distance() > 1 { "; it is a scout" } else { "" };
            format!("It moves {from} to {to}{scout}")
        }
        (Some(verdict), true) => format!("You strike {to}: {}", own_strike(verdict)),
        (Some(verdict), false) => format!("It strikes {to}: {}", enemy_strike(verdict)),
    };
    let returned = rescue.map_or_else(String::new, |rescue| rescued(rescue, ours));
    format!("{what}{returned}.")
}

fn own_strike(Verdict { outcome, striker, defender }: Verdict) -> String {
    let (own, other) = (plain(striker), named(defender));
    match outcome {
        Outcome::Win if defender == Some(Rank::Flag) => format!("your {own} takes the flag"),
        Outcome::Win => format!("your {own} beats {other}"),
        Outcome::Loss => format!("your {own} loses to {other}"),
        Outcome::Tie => format!("your {own} and {other} both fall"),
    }
}

fn enemy_strike(Verdict { outcome, striker, defender }: Verdict) -> String {
    let (own, other) = (plain(defender), named(striker));
    match outcome {
        Outcome::Win if defender == Some(Rank::Flag) => format!("{other} takes your flag"),
        Outcome::Win => format!("your {own} loses to {other}"),
        Outcome::Loss => format!("your {own} beats {other}"),
        Outcome::Tie => format!("your {own} and {other} both fall"),
    }
}

fn rescued(Rescue { rank, square }: Rescue, ours: bool) -> String {
    let verb = if ours { "bring" } else { "brings" };
    format!(", and {verb} back {} on {square}", named(rank))
}

/// `6`, `spy`: what follows "your".
fn plain(rank: Option<Rank>) -> String {
    rank.map_or_else(
        || "piece".to_owned(),
        |rank| if has_number(rank) { rank.to_string() } else { rank.name().to_owned() },
    )
}

/// `a 6`, `the marshal`, `an unknown piece`.
fn named(rank: Option<Rank>) -> String {
    let Some(known) = rank else { return "an unknown piece".to_owned() };
    let article = match known {
        Rank::Flag | Rank::Marshal => "the",
        Rank::Colonel => "an",
        Rank::Spy
        | Rank::Scout
        | Rank::Miner
        | Rank::Sergeant
        | Rank::Lieutenant
        | Rank::Captain
        | Rank::Major
        | Rank::General
        | Rank::Bomb => "a",
    };
    format!("{article} {}", plain(rank))
}

/// Whether it is written as a digit.
const fn has_number(rank: Rank) -> bool {
    rank.letter().is_ascii_digit()
}

/// How the game ended, for the person.
pub fn result(end: End, person: Side) -> String {
    let Ending { winner, reason } = match end {
        End::Resigned => return "You resign: the engine wins.".to_owned(),
        End::Ruled(ending) => ending,
    };
    let how = match reason {
        Reason::Flag => "the flag is taken",
        Reason::Stuck => "no move is left",
        Reason::Attrition => "no piece that moves is left",
        Reason::Quiet => "nothing was struck for too long",
        Reason::Plies => "the game has lasted too long",
    };
    match winner {
        Some(side) if side == person => format!("You win: {how}."),
        Some(_) => format!("The engine wins: {how}."),
        None => format!("A draw: {how}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_are_described_from_the_persons_side() {
        let seen_by_red = |text: &str, mover| sentence(&text.parse().unwrap(), mover, Side::Red);
        for (text, ours, theirs) in [
            ("a4a5", "You move a4 to a5.", "It moves a4 to a5."),
            ("a4a7", "You move a4 to a7.", "It moves a4 to a7; it is a scout."),
            ("a4xa5=W63", "You strike a5: your 6 beats a 3.", "It strikes a5: your 3 loses to a 6."),
            ("a4xa5=L48", "You strike a5: your 4 loses to an 8.", "It strikes a5: your 8 beats a 4."),
            ("a4xa5=L4B", "You strike a5: your 4 loses to a bomb.", "It strikes a5: your bomb beats a 4."),
            (
                "a4xa5=TMM",
                "You strike a5: your marshal and the marshal both fall.",
                "It strikes a5: your marshal and the marshal both fall.",
            ),
            ("a4xa5=W2F", "You strike a5: your 2 takes the flag.", "It strikes a5: a 2 takes your flag."),
            (
                "a4xa5=L6?",
                "You strike a5: your 6 loses to an unknown piece.",
                "It strikes a5: your piece beats a 6.",
            ),
        ] {
            assert_eq!(
                (seen_by_red(text, Side::Red).as_str(), seen_by_red(text, Side::Blue).as_str()),
                (ours, theirs),
                "{text}"
            );
        }
        assert_eq!(seen_by_red("b9b10+5@c2", Side::Red), "You move b9 to b10, and bring back a 5 on c2.");
        assert_eq!(
            seen_by_red("b2b1+?@c9", Side::Blue),
            "It moves b2 to b1, and brings back an unknown piece on c9."
        );
    }
}
