//! Tests of the styles: whole games, themes, setups, and the protocol.

mod common;
mod games;
mod protocol;
mod setups;
mod themes;

use outflank_arena::gauntlet;
use outflank_styles::STYLES;

#[test]
fn the_arena_knows_every_style() {
    assert_eq!(STYLES.map(|style| style.name), gauntlet::STYLES);
    assert!(!gauntlet::usual_styles().contains(&"ordinary"));
}
