//! What can be wrong with an engine.

macro_rules! faults {
    ($($fault:ident $name:literal $text:literal)*) => {
        /// One deliberate fault.
        #[derive(Copy, Clone, Debug, Eq, PartialEq)]
        pub(crate) enum Fault { $(#[doc = $text] $fault),* }

        impl Fault {
            /// All of them.
            pub(crate) const ALL: &[Fault] = &[$(Fault::$fault),*];

            /// The name on the command line.
            pub(crate) const fn name(self) -> &'static str {
                match self { $(Fault::$fault => $name),* }
            }
        }
    };
}

faults! {
    Banner "banner" "Says something before it is asked."
    Floods "floods" "Never stops talking."
    OtherProtocol "other-protocol" "Speaks protocol 2."
    BadOption "bad-option" "Offers an option without a type."
    TakesAnyValue "takes-any-value" "Says no error about the value of an option."
    Unfenced "unfenced" "Answers isready twice."
    ForgetsRules "forgets-rules" "Plays isf whatever it is told."
    ShortLegal "short-legal" "Leaves an action out of the legal ones."
    ForgetsMoves "forgets-moves" "Takes a position without the moves behind it."
    WrongUndo "wrong-undo" "Takes back one ply whatever it is told."
    WrongCode "wrong-code" "Calls illegal what is not its turn."
    SameSetup "same-setup" "Knows one setup alone."
    ForgetsGame "forgets-game" "Begins a new game over a command that it does not know."
    QuitsAtOnce "quits-at-once" "Says no bestmove before it quits."
    Crash "crash" "Ends in the middle of a search."
    Hang "hang" "Neither reads nor answers any more."
    Closes "closes" "Closes its output and lives on."
    Late "late" "Answers a go with a time two seconds and a half too late."
    Illegal "illegal" "Chooses an action that cannot be made."
    Unreadable "unreadable" "Chooses what is no action."
    Resigns "resigns" "Resigns without leave."
    TwoBestmoves "two-bestmoves" "Says each bestmove twice."
    NoBestmove "no-bestmove" "Never says a bestmove."
    LeavesXOut "leaves-x-out" "Writes strikes as moves."
    IgnoresStop "ignores-stop" "Does not hear stop."
    IgnoresIsready "ignores-isready" "Answers isready after the search alone."
    IgnoresWait "ignores-wait" "Does not hear wait."
    AnswersFirst "answers-first" "Answers what ends a search before the bestmove."
    DiesOnGarbage "dies-on-garbage" "Ends over a line that it does not understand."
    SilentOnGarbage "silent-on-garbage" "Says no error about an unknown command."
    TwoErrors "two-errors" "Says each error twice."
    DiesOnLongLine "dies-on-long-line" "Ends over a line above 1 MiB."
    NeedsLf "needs-lf" "Takes the CR of CRLF for a part of the word."
    ExitsLate "exits-late" "Does not end with its input."
    ExitsBadly "exits-badly" "Ends with status 3."
    ForgetsDesync "forgets-desync" "Goes on after a failed play."
    BadShares "bad-shares" "Beliefs do not sum to a million."
    NotDeterministic "not-deterministic" "Chooses by the clock."
    FixedSeed "fixed-seed" "Offers no option Seed; no fault."
    Peeks "peeks" "Chooses by the ranks of both armies in a study."
    Remembers "remembers" "Chooses by the ranks revealed after the game before."
    Crlf "crlf" "Ends its lines in CRLF."
    TrailingBlanks "trailing-blanks" "Ends its lines in blanks; no fault."
}

impl Fault {
    /// Reads `crash` or `crash@3`: the fault, and from which `go` on it shows.
    pub(crate) fn parse(text: &str) -> Option<(Fault, u64)> {
        let (name, from) = text.split_once('@').unwrap_or((text, "1"));
        let fault = Fault::ALL.iter().find(|fault| fault.name() == name)?;
        Some((*fault, from.parse().ok()?))
    }
}
