//! Actions and what is reported of them: `a4a5`, `e4xe5=W95`, `b9b10+5@c2`.

use super::battle::Outcome;
use super::rank::Rank;
use super::square::Square;
use nom::branch::alt;
use nom::bytes::complete::take_while_m_n;
use nom::character::complete::{char, digit1, one_of, satisfy};
use nom::combinator::{all_consuming, map, map_opt, opt, recognize, value};
use nom::sequence::{pair, preceded, separated_pair};
use nom::{IResult, Parser};
use std::fmt;
use std::str::FromStr;

/// A captured piece handed back; the rank is not shown to the other side under `silent`.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub struct Rescue {
    /// What comes back, `?` on the wire where it is not known.
    pub rank: Option<Rank>,
    /// Where it is placed.
    pub square: Square,
}

/// One ply of one side: a piece goes from one square to another, and strikes what stands there.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub struct Action {
    /// Where the piece stands.
    pub from: Square,
    /// Where it goes or strikes.
    pub to: Square,
    /// The piece handed back on the enemy's back row, if any.
    pub rescue: Option<Rescue>,
}

/// What is reported of a strike: how it ended for the striker, and the ranks as far as they are reported.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub struct Verdict {
    /// How it ended for the striker.
    pub outcome: Outcome,
    /// The striker's rank.
    pub striker: Option<Rank>,
    /// The defender's rank.
    pub defender: Option<Rank>,
}

/// An action with what is reported of its strike.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub struct Played {
    /// The action.
    pub action: Action,
    /// Set for strikes whose result is reported.
    pub verdict: Option<Verdict>,
}

impl Action {
    /// An action without a rescue.
    pub const fn new(from: Square, to: Square) -> Action {
        Action { from, to, rescue: None }
    }

    /// Left and right exchanged.
    #[must_use]
    pub fn mirrored(self) -> Action {
        let rescue = self.rescue.map(|rescue| Rescue { square: rescue.square.mirrored(), ..rescue });
        Action { from: self.from.mirrored(), to: self.to.mirrored(), rescue }
    }

    /// The borders between squares that it crosses in a straight line: 1 but for scouts.
    pub const fn distance(self) -> u8 {
        self.from.distance(self.to)
    }

    /// The protocol's text; `strike` puts the `x` between the squares.
    pub fn text(self, strike: bool) -> String {
        let cross = if strike { "x" } else { "" };
        match self.rescue {
            None => format!("{}{cross}{}", self.from, self.to),
            Some(rescue) => format!("{}{cross}{}{rescue}", self.from, self.to),
        }
    }
}

impl From<Action> for Played {
    fn from(action: Action) -> Played {
        Played { action, verdict: None }
    }
}

impl fmt::Display for Rescue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "+{}@{}", letter(self.rank), self.square)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "={}{}{}", self.outcome.letter(), letter(self.striker), letter(self.defender))
    }
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.action.text(self.verdict.is_some()))?;
        self.verdict.map_or(Ok(()), |verdict| write!(f, "{verdict}"))
    }
}

const fn letter(rank: Option<Rank>) -> char {
    match rank {
        Some(rank) => rank.letter(),
        None => '?',
    }
}

/// The text is no action.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct NoAction;

impl fmt::Display for NoAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the text is no action")
    }
}

impl std::error::Error for NoAction {}

impl FromStr for Played {
    type Err = NoAction;

    /// Reads an action with or without a result; the `x` is optional.
    fn from_str(text: &str) -> Result<Played, NoAction> {
        all_consuming(played).parse(text).map(|(_, played)| played).map_err(|_| NoAction)
    }
}

fn square(input: &str) -> IResult<&str, Square> {
    let name = recognize(pair(satisfy(|c| c.is_ascii_alphabetic()), take_while_m_n(1, 2, is_digit)));

    map_opt(name, |text: &str| text.parse().ok()).parse(input)
}

const fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

fn rank_or_unknown(input: &str) -> IResult<&str, Option<Rank>> {
    alt((
        value(None, char('?')),
        map_opt(nom::character::complete::anychar, |c| Rank::from_letter(c).map(Some)),
    ))
    .parse(input)
}

fn verdict(input: &str) -> IResult<&str, Verdict> {
    let outcome = map(one_of("WLTwlt"), |c| match c.to_ascii_uppercase() {
        'W' => Outcome::Win,
        'L' => Outcome::Loss,
        _ => Outcome::Tie,
    });
    map((outcome, rank_or_unknown, rank_or_unknown), |(outcome, striker, defender)| Verdict {
        outcome,
        striker,
        defender,
    })
    .parse(input)
}

fn rescue(input: &str) -> IResult<&str, Rescue> {
    map(separated_pair(rank_or_unknown, char('@'), square), |(rank, square)| Rescue { rank, square })
        .parse(input)
}

fn played(input: &str) -> IResult<&str, Played> {
    let action = (square, opt(one_of("xX")), square, opt(preceded(char('+'), rescue)));
    let mut parser = (action, opt(preceded(char('='), verdict)));
    let (rest, ((from, _, to, rescue), verdict)) = parser.parse(input)?;
    Ok((rest, Played { action: Action { from, to, rescue }, verdict }))
}

/// Reads the digits of a count; used by position texts too.
pub(super) fn number(input: &str) -> IResult<&str, u32> {
    map_opt(digit1, |digits: &str| digits.parse().ok()).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_print_as_they_are_read() {
        for text in
            ["a4a5", "a1a10", "j10j1", "e4xe5=W95", "e4xe5=L6?", "e4xe5=W5F", "b9b10+5@c2", "b9xb10+?@c2=W62"]
        {
            assert_eq!(text.parse::<Played>().unwrap().to_string(), text);
        }
        assert_eq!("E4E5=w95".parse::<Played>().unwrap().to_string(), "e4xe5=W95");
        assert_eq!("k4xk5=TBB".parse::<Played>().unwrap().to_string(), "j4xj5=TBB");
    }

    #[test]
    fn other_texts_are_no_actions() {
        for text in [
            "",
            "a4",
            "a4a",
            "a4-a5",
            "c5c6",
            "a4a5=",
            "a4a5=X95",
            "a4a5=W9",
            "a4a5=W951",
            "a4a5+5",
            "a4a55",
            "é4a5",
        ] {
            assert_eq!(text.parse::<Played>(), Err(NoAction), "{text}");
        }
    }
}
