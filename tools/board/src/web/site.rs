//! The files of the page. They are part of the program: no file is read for them.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{Html, IntoResponse, Response};
use outflank_pages::{COLOURS, PIECES};

const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

/// Every file by its name.
const FILES: [(&str, &str, &str); 31] = [
    ("style.css", STYLE, include_str!("../../page/style.css")),
    ("icon.svg", PICTURE, include_str!("../../page/icon.svg")),
    ("lobby.js", SCRIPT, include_str!("../../page/lobby.js")),
    ("game.js", SCRIPT, include_str!("../../page/game.js")),
    ("beliefs.js", SCRIPT, include_str!("../../page/beliefs.js")),
    ("board.js", SCRIPT, include_str!("../../page/board.js")),
    ("setup.js", SCRIPT, include_str!("../../page/setup.js")),
    ("setups.js", SCRIPT, include_str!("../../page/setups.js")),
    ("odd.js", SCRIPT, include_str!("../../page/odd.js")),
    ("study.js", SCRIPT, include_str!("../../page/study.js")),
    ("spn.js", SCRIPT, include_str!("../../page/spn.js")),
    ("study.css", STYLE, include_str!("../../page/study.css")),
    ("invite.js", SCRIPT, include_str!("../../page/invite.js")),
    ("play.js", SCRIPT, include_str!("../../page/play.js")),
    ("server.js", SCRIPT, include_str!("../../page/server.js")),
    ("kept.js", SCRIPT, include_str!("../../page/kept.js")),
    ("words.js", SCRIPT, include_str!("../../page/words.js")),
    ("notes.js", SCRIPT, include_str!("../../page/notes.js")),
    ("after.js", SCRIPT, include_str!("../../page/after.js")),
    ("cards.js", SCRIPT, include_str!("../../page/cards.js")),
    ("look.js", SCRIPT, include_str!("../../page/look.js")),
    ("moves.js", SCRIPT, include_str!("../../page/moves.js")),
    ("premove.js", SCRIPT, include_str!("../../page/premove.js")),
    ("show.js", SCRIPT, include_str!("../../page/show.js")),
    ("timeline.js", SCRIPT, include_str!("../../page/timeline.js")),
    ("game.css", STYLE, include_str!("../../page/game.css")),
    ("lobby.css", STYLE, include_str!("../../page/lobby.css")),
    ("colours.css", STYLE, COLOURS),
    ("pieces.js", SCRIPT, PIECES),
    ("sound.js", SCRIPT, include_str!("../../page/sound.js")),
    ("dom.js", SCRIPT, include_str!("../../page/dom.js")),
];

pub(super) async fn lobby() -> Html<&'static str> {
    Html(include_str!("../../page/lobby.html"))
}

pub(super) async fn study() -> Html<&'static str> {
    Html(include_str!("../../page/study.html"))
}

pub(super) fn board() -> Html<&'static str> {
    Html(include_str!("../../page/game.html"))
}

pub(super) fn missing() -> (StatusCode, Html<&'static str>) {
    (StatusCode::NOT_FOUND, Html(include_str!("../../page/missing.html")))
}

pub(super) async fn file(Path(name): Path<String>) -> Response {
    match FILES.iter().find(|(known, _, _)| *known == name) {
        Some((_, kind, text)) => {
            ([(CONTENT_TYPE, *kind), (CACHE_CONTROL, "no-cache")], *text).into_response()
        }
        None => missing().into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pages that a telephone has at once: with the scripts of an analysis, some 75 kB, 250 kB in all.
    #[test]
    fn all_pages_are_small() {
        let pages = [
            include_str!("../../page/lobby.html"),
            include_str!("../../page/game.html"),
            include_str!("../../page/study.html"),
            include_str!("../../page/missing.html"),
        ];
        let bytes: usize = FILES.iter().map(|(_, _, text)| text.len()).chain(pages.map(str::len)).sum();
        assert!(bytes < 175_000, "{bytes}");
    }
}
