//! Scripted players of known styles: a gauntlet for the engine, of players that nobody fitted anything to.
//!
//! Lowest first: `knowledge` is what a player knows, with odds by plain counts; `tactics` says what each action wins
//! and risks; `style` is what a style may decide, and how an action is chosen by it; `setups` draws setups; `styles`
//! has the styles, one in each file. They use the engine's rules and views, and nothing of its belief or search.

pub mod knowledge;
pub mod setups;
pub mod style;
pub mod styles;
pub mod tactics;

use outflank::protocol::StandIn;

/// Every style, in the order of the gauntlet; the last is no theme's: ordinary play, to compare the others with.
pub const STYLES: [StandIn; 8] = [
    style::stand_in::<styles::chaser::Chaser>(),
    style::stand_in::<styles::baiter::Baiter>(),
    style::stand_in::<styles::raider::Raider>(),
    style::stand_in::<styles::turtle::Turtle>(),
    style::stand_in::<styles::rusher::Rusher>(),
    style::stand_in::<styles::eccentric::Eccentric>(),
    style::stand_in::<styles::coward::Coward>(),
    style::stand_in::<styles::ordinary::Ordinary>(),
];

/// The style of this name.
pub fn find(name: &str) -> Option<StandIn> {
    STYLES.into_iter().find(|style| style.name == name)
}
