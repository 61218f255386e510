//! Who is connected. Whoever has shown what the guard asks for has a place that nobody takes away; strangers have few,
//! and make room for the next one.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// Connections of guests at a time.
const GUESTS: usize = 512;
/// Connections of strangers at a time.
const STRANGERS: usize = 128;
/// Connections of guests from one address, and of strangers from it.
const GUESTS_OF_ONE: usize = 256;
const STRANGERS_OF_ONE: usize = 64;

/// A connection.
struct Connection {
    number: u64,
    address: IpAddr,
    is_guest: bool,
    /// Dropping it hangs up.
    _line: oneshot::Sender<()>,
}

/// Everybody who is connected, in the order in which they came.
#[derive(Default)]
struct Crowd {
    connections: Vec<Connection>,
    next: u64,
}

impl Crowd {
    /// How many there are of that kind, in all and from that address.
    fn count(&self, is_guest: bool, address: IpAddr) -> (usize, usize) {
        let kind = self.connections.iter().filter(|one| one.is_guest == is_guest);
        (kind.clone().count(), kind.filter(|one| one.address == address).count())
    }

    /// Hangs up on the stranger who has been here longest: of this address, or of any.
    fn make_room(&mut self, address: Option<IpAddr>) {
        let leaves = |one: &Connection| !one.is_guest && address.is_none_or(|address| address == one.address);
        if let Some(place) = self.connections.iter().position(leaves) {
            self.connections.remove(place);
        }
    }
}

/// Where everybody comes in.
#[derive(Clone, Default)]
pub(super) struct Doorway(Arc<Mutex<Crowd>>);

/// A place of a connection, for as long as it is held.
pub(super) struct Place {
    doorway: Doorway,
    number: u64,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.doorway.crowd().connections.retain(|one| one.number != self.number);
    }
}

impl Doorway {
    fn crowd(&self) -> MutexGuard<'_, Crowd> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a stranger from this address, and what tells when it is hung up on.
    pub(super) fn enter(&self, address: IpAddr) -> (Place, oneshot::Receiver<()>) {
        let (line, hung_up) = oneshot::channel();
        let mut crowd = self.crowd();
        let (all, same) = crowd.count(false, address);
        if same >= STRANGERS_OF_ONE {
            crowd.make_room(Some(address));
        } else if all >= STRANGERS {
            crowd.make_room(None);
        }
        let number = crowd.next;
        crowd.next += 1;
        crowd.connections.push(Connection { number, address, is_guest: false, _line: line });
        (Place { doorway: self.clone(), number }, hung_up)
    }
}

impl Place {
    /// Makes a stranger a guest; false if there are too many of them.
    pub(super) fn welcome(&self) -> bool {
        let mut crowd = self.doorway.crowd();
        let Some(place) = crowd.connections.iter().position(|one| one.number == self.number) else {
            return false;
        };
        let (all, same) = crowd.count(true, crowd.connections[place].address);
        let connection = &mut crowd.connections[place];
        connection.is_guest |= all < GUESTS && same < GUESTS_OF_ONE;
        connection.is_guest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        [192, 168, 1, last].into()
    }

    fn is_here(hung_up: &mut oneshot::Receiver<()>) -> bool {
        hung_up.try_recv() == Err(oneshot::error::TryRecvError::Empty)
    }

    #[test]
    fn strangers_make_room_and_guests_stay() {
        let doorway = Doorway::default();
        let (guest, mut guest_left) = doorway.enter(address(1));
        assert!(guest.welcome());
        let mut strangers: Vec<_> = (0..3 * STRANGERS_OF_ONE).map(|_| doorway.enter(address(1))).collect();
        let here: Vec<bool> = strangers.iter_mut().map(|(_, left)| is_here(left)).collect();
        let newest = 2 * STRANGERS_OF_ONE;
        assert!(here[..newest].iter().all(|here| !here) && here[newest..].iter().all(|here| *here));
        assert!(is_here(&mut guest_left));
        // One who was hung up on meanwhile is no guest.
        assert!(!strangers[0].0.welcome() && strangers[newest].0.welcome());
    }

    #[test]
    fn one_address_leaves_room_for_others() {
        let doorway = Doorway::default();
        let (_place, mut other_left) = doorway.enter(address(2));
        let crowd: Vec<_> = (0..2 * STRANGERS).map(|_| doorway.enter(address(1))).collect();
        assert!(is_here(&mut other_left), "strangers of one address take places of that address alone");
        drop(crowd);
        let guests: Vec<_> = (0..=GUESTS_OF_ONE).map(|_| doorway.enter(address(1))).collect();
        // Each is a guest before the next one comes, or the next one would have its place.
        let guests: Vec<bool> = guests.iter().map(|(place, _)| place.welcome()).collect();
        assert_eq!(guests.iter().filter(|guest| **guest).count(), STRANGERS_OF_ONE);
    }

    #[test]
    fn guests_of_one_address_are_bounded_and_places_come_back() {
        let doorway = Doorway::default();
        let come = |last| {
            let (place, left) = doorway.enter(address(last));
            (place.welcome(), place, left)
        };
        let first: Vec<_> = (0..=GUESTS_OF_ONE).map(|_| come(1)).collect();
        assert_eq!(first.iter().filter(|guest| guest.0).count(), GUESTS_OF_ONE);
        assert!(come(2).0);
        drop(first);
        assert!(come(1).0);
        assert!(doorway.crowd().connections.is_empty());
    }
}
