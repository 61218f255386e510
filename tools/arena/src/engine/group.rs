//! The processes of one engine as a group: they end together, and never later than the arena.
//!
//! The group's leader is a shell that does nothing but wait for the end of a pipe, and then ends the whole group. Only
//! the arena holds the pipe's other end, and the system closes it whatever the arena dies of; so the engines of an
//! arena that was killed outright end too. The engine is started into the group, so that there is no moment in which
//! it runs unwatched. While the leader has not been waited for, nobody else can be given the group's number.

#[cfg(not(unix))]
pub(super) use elsewhere::Group;
#[cfg(unix)]
pub(super) use unix::Group;

use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(unix)]
use std::{thread, time::Duration};

/// Set once everything is to end. Signals are a matter of the whole process, and so is this.
static ENDING: AtomicBool = AtomicBool::new(false);

/// How long engines may take to end when the arena does, before they are killed.
#[cfg(unix)]
const GRACE: Duration = Duration::from_secs(2);

/// Ends every engine of this process; no further one can be started. Whoever plays a game finds it
/// [`ending`], and lets its engines go with a word; those that are still there a moment later are killed.
pub fn end_all() {
    ENDING.store(true, Ordering::SeqCst);
    #[cfg(unix)]
    {
        let late = || {
            thread::sleep(GRACE);
            unix::let_go();
        };
        if thread::Builder::new().spawn(late).is_err() {
            unix::let_go();
        }
    }
}

/// Whether [`end_all`] was called: what an engine does or leaves undone since then is no fault of its own.
pub fn ending() -> bool {
    ENDING.load(Ordering::SeqCst)
}

/// What [`ending`] tells, to look at while one thinks.
pub const fn stopped() -> &'static AtomicBool {
    &ENDING
}

#[cfg(unix)]
mod unix {
    use super::ending;
    use rustix::process::{Pid, Signal, kill_process_group};
    use std::collections::BTreeMap;
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, ChildStdin, Command, Stdio};
    use std::sync::{Mutex, MutexGuard, PoisonError};

    /// What the leader does. Signals that somebody means for the arena or the engine must not end it before its time.
    const WAIT: &str = "trap '' HUP INT TERM; read -r end; kill -KILL 0";
    /// What the leader is called in lists of processes.
    const NAME: &str = "outflank-arena-guard";

    type Pipes = BTreeMap<u32, ChildStdin>;

    /// The pipes of all groups, by the process numbers of their leaders.
    static PIPES: Mutex<Pipes> = Mutex::new(Pipes::new());

    fn pipes() -> MutexGuard<'static, Pipes> {
        PIPES.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets go of all pipes, after [`ending`] has become true: whoever looked before holds the lock until its pipe is
    /// among them.
    pub(super) fn let_go() {
        pipes().clear();
    }

    /// A process group. Dropping it ends all that is in it.
    #[derive(Debug)]
    pub(in super::super) struct Group(Child);

    impl Group {
        /// A group with nobody in it but its leader.
        pub(in super::super) fn start() -> io::Result<Group> {
            let mut leader = Command::new("/bin/sh");
            leader.args(["-c", WAIT, NAME]).env_clear().current_dir("/").process_group(0);
            leader.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
            let mut leader = leader.spawn()?;
            let (id, pipe) = (leader.id(), leader.stdin.take());
            let group = Group(leader);
            let mut pipes = pipes();
            if ending() {
                return Err(io::Error::other("the arena is ending"));
            }
            pipes.extend(pipe.map(|pipe| (id, pipe)));
            Ok(group)
        }

        /// Lets a program start in it.
        pub(in super::super) fn take_in(&self, command: &mut Command) {
            command.process_group(self.0.id() as i32);
        }

        /// Ends all that is in it.
        pub(in super::super) fn end(&mut self) {
            if let Some(group) = Pid::from_raw(self.0.id() as i32) {
                // An error means that nobody is left.
                let _ = kill_process_group(group, Signal::KILL);
            }
        }
    }

    impl Drop for Group {
        fn drop(&mut self) {
            self.end();
            let _ = self.0.wait();
            pipes().remove(&self.0.id());
        }
    }
}

/// Where there are no process groups, an engine ends by itself or when the arena ends it.
#[cfg(not(unix))]
mod elsewhere {
    use super::ending;
    use std::io;
    use std::process::Command;

    #[derive(Debug)]
    pub(in super::super) struct Group;

    impl Group {
        pub(in super::super) fn start() -> io::Result<Group> {
            if ending() { Err(io::Error::other("the arena is ending")) } else { Ok(Group) }
        }

        pub(in super::super) fn take_in(&self, _: &mut Command) {}

        pub(in super::super) fn end(&mut self) {}
    }
}
