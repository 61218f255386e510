//! How another device at home finds the server: the addresses of this machine, and what its terminal shows.

use crate::token::Token;
use crate::web::link;
use anyhow::{Context, ensure};
use qrcode::render::unicode::Dense1x2;
use qrcode::{EcLevel, QrCode};
use std::fmt::Write;
use std::net::{IpAddr, Ipv4Addr, UdpSocket};

/// Black on white whatever the terminal's own colours are, and back: a telephone may not read it inverted.
const PAPER: &str = "\u{1b}[30;107m";
const PLAIN: &str = "\u{1b}[0m";

/// The addresses at which other devices may reach a server that listens on this one, the likeliest first, then those at
/// which this machine reaches itself.
///
/// # Errors
/// If it listens on all addresses, and the machine has none in a network.
pub fn addresses(listen: IpAddr) -> anyhow::Result<Vec<IpAddr>> {
    if !listen.is_unspecified() {
        return Ok(vec![listen]);
    }
    let own = if_addrs::get_if_addrs().context("the addresses of this machine")?;
    let own: Vec<IpAddr> = own.iter().map(if_addrs::Interface::ip).collect();
    let found = reached(listen, outward(), &own);
    ensure!(
        found.iter().any(|address| !address.is_loopback()),
        "this machine has no address in a network: name one instead of {listen}"
    );
    Ok(found)
}

/// Of the machine's own addresses those that a server on all of them is reached at: first the one that leads outward,
/// then the others in a network, and what is this machine's alone last.
fn reached(listen: IpAddr, outward: Option<IpAddr>, own: &[IpAddr]) -> Vec<IpAddr> {
    let fits = |address: &IpAddr| match address {
        IpAddr::V4(_) => true,
        // Addresses of one link alone need the name of the link, which no browser takes.
        IpAddr::V6(address) => listen.is_ipv6() && !address.is_unicast_link_local(),
    };
    let mut found: Vec<IpAddr> = own.iter().copied().filter(fits).collect();
    found.sort_by_key(|address| (Some(*address) != outward, address.is_loopback(), address.is_ipv6()));
    found.dedup();
    found
}

/// The address from which this machine would speak to a far one; nothing is sent for it.
fn outward() -> Option<IpAddr> {
    // One that is kept for documentation, so that nobody has it.
    const FAR: (Ipv4Addr, u16) = (Ipv4Addr::new(203, 0, 113, 1), 9);
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect(FAR).ok()?;
    Some(socket.local_addr().ok()?.ip())
}

/// What the terminal says of a server that other devices reach; with the first address as a picture, if it can show one.
///
/// # Errors
/// If the address does not fit into a picture.
pub fn text(addresses: &[IpAddr], port: u16, key: &Token, pictures: bool) -> anyhow::Result<String> {
    let links: Vec<String> = addresses.iter().map(|address| link(*address, port, key)).collect();
    let mut text = "Open one of these addresses on a device in this network:\n\n".to_owned();
    for link in &links {
        writeln!(text, "    {link}")?;
    }
    if let Some(link) = links.first().filter(|_| pictures) {
        write!(text, "\n{}\n", picture(link)?)?;
    }
    text.push_str(
        "\nWARNING: whoever has such an address can play here, and nothing is encrypted: others in the network can \
         listen.\nUse this at home, not in a network of strangers, and let no router pass it on to the internet.\n\n",
    );
    Ok(text)
}

/// A QR code of half blocks, two rows a line.
fn picture(link: &str) -> anyhow::Result<String> {
    let code = QrCode::with_error_correction_level(link, EcLevel::L).context("the address as a QR code")?;
    let drawn = code.render::<Dense1x2>().build();
    let lines: Vec<String> = drawn.lines().map(|line| format!("{PAPER}{line}{PLAIN}")).collect();
    Ok(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rqrr::PreparedImage;
    use std::net::Ipv6Addr;

    const KEY: &str = "0123456789abcdef0123456789abcdef";

    fn key() -> Token {
        Token::try_from(KEY.to_owned()).unwrap()
    }

    fn all(texts: &[&str]) -> Vec<IpAddr> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn the_address_that_leads_outward_is_first_and_the_machines_own_is_last() {
        let own = all(&["127.0.0.1", "::1", "172.17.0.1", "192.168.1.5", "fe80::1", "fd00::2"]);
        let outward = Some("192.168.1.5".parse().unwrap());
        let four = reached(Ipv4Addr::UNSPECIFIED.into(), outward, &own);
        assert_eq!(four, all(&["192.168.1.5", "172.17.0.1", "127.0.0.1"]));
        let six = reached(Ipv6Addr::UNSPECIFIED.into(), outward, &own);
        assert_eq!(six, all(&["192.168.1.5", "172.17.0.1", "fd00::2", "127.0.0.1", "::1"]));
        assert_eq!(addresses("192.168.1.5".parse().unwrap()).unwrap(), all(&["192.168.1.5"]));
    }

    #[test]
    fn the_terminal_names_every_address_and_warns() {
        let text = text(&all(&["192.168.1.5", "fd00::2"]), 8017, &key(), false).unwrap();
        assert!(text.contains(&format!("    http://192.168.1.5:8017/enter/{KEY}\n")), "{text}");
        assert!(text.contains(&format!("    http://[fd00::2]:8017/enter/{KEY}\n")), "{text}");
        assert!(text.contains("\nWARNING: ") && !text.contains('\u{1b}'), "{text}");
    }

    /// A reader of such codes reads the address off what is drawn.
    #[test]
    fn a_telephone_reads_the_picture() {
        let text = text(&all(&["192.168.1.5"]), 8017, &key(), true).unwrap();
        let lines: Vec<Vec<char>> = text
            .lines()
            .filter_map(|line| line.strip_prefix(PAPER)?.strip_suffix(PLAIN))
            .map(|line| line.chars().collect())
            .collect();
        assert!(lines.len() <= 24 && lines[0].len() <= 60, "it fits a terminal: {text}");
        // Each half block as a square of so many dots.
        let dots = 4;
        let is_dark = |x: usize, y: usize| match lines[y / 2].get(x) {
            Some('█') => true,
            Some('▀') => y.is_multiple_of(2),
            Some('▄') => !y.is_multiple_of(2),
            _ => false,
        };
        let (width, height) = (lines[0].len() * dots, 2 * lines.len() * dots);
        let grey = |x: usize, y: usize| if is_dark(x / dots, y / dots) { 0 } else { 255 };
        let mut image = PreparedImage::prepare_from_greyscale(width, height, grey);
        let grids = image.detect_grids();
        assert_eq!(grids.len(), 1);
        assert_eq!(grids[0].decode().unwrap().1, format!("http://192.168.1.5:8017/enter/{KEY}"));
    }
}
