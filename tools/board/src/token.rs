//! What a game is reached by: nobody can guess it.

use crate::game::Eyes;
use anyhow::Context;
use rand::TryRng;
use rand::rngs::SysRng;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Bytes of chance in a token.
const BYTES: usize = 16;

/// 128 bits of chance in hexadecimal.
#[derive(Clone, Debug, Eq, PartialEq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Token(String);

/// What a game is reached by.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
pub struct Tokens {
    /// Its own page.
    #[serde(rename = "token")]
    pub own: Token,
    /// The pages of two persons at devices of their own, Red's first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seats: Option<[Token; 2]>,
}

impl Tokens {
    /// New ones; whether two persons have devices of their own.
    ///
    /// # Errors
    /// Those of [`Token::new`].
    pub fn new(devices: bool) -> anyhow::Result<Tokens> {
        let seats = if devices { Some([Token::new()?, Token::new()?]) } else { None };
        Ok(Tokens { own: Token::new()?, seats })
    }

    /// The page of somebody who has these eyes.
    pub fn of(&self, eyes: Eyes) -> &Token {
        match (eyes, &self.seats) {
            (Eyes::Device(side), Some(seats)) => &seats[side.index()],
            _ => &self.own,
        }
    }
}

/// A text that is no token.
#[derive(Copy, Clone, Debug)]
pub struct NoToken;

impl fmt::Display for NoToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the text is no token")
    }
}

impl std::error::Error for NoToken {}

impl Token {
    /// A new one.
    ///
    /// # Errors
    /// If the system has no chance to give.
    pub fn new() -> anyhow::Result<Token> {
        let mut bytes = [0; BYTES];
        SysRng.try_fill_bytes(&mut bytes).context("the system gives no random bytes")?;
        Ok(Token(format!("{:032x}", u128::from_be_bytes(bytes))))
    }
}

impl TryFrom<String> for Token {
    type Error = NoToken;

    fn try_from(text: String) -> Result<Token, NoToken> {
        let digits = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if text.len() == 2 * BYTES && digits { Ok(Token(text)) } else { Err(NoToken) }
    }
}

impl From<Token> for String {
    fn from(token: Token) -> String {
        token.0
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
