//! The steps of the walk, in order: what is simple first, so that the first failure says most.

mod clock;
mod desync;
mod end;
mod ground;
mod knowledge;
mod lines;
mod peeking;
mod play;
mod same;
mod tell;
mod think;

use super::host::Host;
use super::talk::Step;

/// One step of the walk.
#[derive(Debug)]
pub struct StepInfo {
    /// Its name, for the command line.
    pub name: &'static str,
    /// What it asks for, in a few words.
    pub summary: &'static str,
    pub(in crate::check) walk: fn(&mut Host) -> Step<String>,
}

/// All steps, in order.
pub const STEPS: [StepInfo; 27] = [
    step("start", "says nothing by itself, and readyok when asked", ground::start),
    step("handshake", "sei names the engine, protocol 1 and the options", ground::handshake),
    step("fence", "isready is answered after all earlier lines, in their order", ground::fence),
    step("options", "takes what it offers, refuses other names and values", ground::options),
    step("rules", "prints and changes the rules before the first ply", tell::rules),
    step("setups", "takes whole, hidden, mixed and sparse armies, refuses others", tell::setups),
    step("positions", "takes positions of one player, of both, with moves", tell::positions),
    step("undo", "takes plies back and knows its history", tell::undo),
    step("belief", "shares that sum to a million, one for what is true", knowledge::belief),
    step(
        "answers",
        "says printable ASCII, each line ended by LF alone, each of a known form",
        ground::answers,
    ),
    step("text", "reads CRLF, tabs, blanks, comments, a byte order mark", lines::text),
    step("garbage", "one error for each bad line, and its state kept", lines::garbage),
    step(
        "long-lines",
        "one too-long for a line over 1 MiB, and a bestmove for an unreadable go",
        lines::long,
    ),
    step("limits", "one legal bestmove for each go, whatever its limits", think::limits),
    step("refusals", "error and bestmove none where nothing can be chosen", think::refusals),
    step("go-setup", "chooses whole armies, and not the same one twice running", think::setup),
    step("stop", "ends any search at once, with one bestmove", think::stop),
    step("thinking", "answers isready while it thinks", think::ready),
    step("interrupts", "a line that changes the state ends the search first", think::interrupts),
    step("wait", "holds later lines until the bestmove", think::wait),
    step("end-of-input", "finishes what is bounded, stops what is not, and ends well", end::input),
    step("quit", "answers what it thinks of, and ends well", end::quit),
    step("desync", "does not go on after a failed play or position, until told", desync::desync),
    step("game", "plays legal actions and knows the legal ones, to the end", play::game),
    step("clock", "answers in time, within the margin", clock::clock),
    step("determinism", "equal seeds and nodes, equal answers", same::determinism),
    step("peeking", "hidden ranks change nothing it says", peeking::peeking),
];

const fn step(name: &'static str, summary: &'static str, walk: fn(&mut Host) -> Step<String>) -> StepInfo {
    StepInfo { name, summary, walk }
}
