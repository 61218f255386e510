//! XML that is not as plain as the archive's: in other encodings, with declarations hidden in it, or nested deeply.

use crate::common::{SAMPLE, converted, gravon, lossless, to};
use outflank_convert::encoding::decode;
use outflank_convert::format::Format;
use outflank_convert::source::entries;

#[test]
fn elements_too_deep_in_each_other_are_refused_at_once() {
    let nested = |depth: usize| {
        let (open, close) = ("<a>".repeat(depth), "</a>".repeat(depth));
        SAMPLE.replacen("<field ", &format!("<c d='/>'/>{open}{close}<field "), 1)
    };
    assert!(converted(&nested(90), Format::Xml, &to(Format::Record)).is_ok());
    for text in [nested(101), nested(500_000), "<a>".repeat(1_000_000), "<!--<a>".repeat(500_000)] {
        let refused = converted(&text, Format::Xml, &to(Format::Record)).unwrap_err();
        assert!(refused.ends_with("elements stand more than 100 deep in each other"), "{refused}");
    }
}

/// Parsers look through all namespaces at every element: a megabyte of them takes minutes.
#[test]
fn documents_with_many_namespaces_are_refused_at_once() {
    let with = |count: usize| {
        let parts: Vec<String> = (0..count).map(|part| format!("<n xmlns:n{part}='u{part}'/>")).collect();
        SAMPLE.replacen("<field ", &format!("{}<field ", parts.concat()), 1)
    };
    let twice = format!("{}{}", with(900), with(900));
    assert!(converted(&twice, Format::Xml, &to(Format::Record)).is_ok());
    let open = |depth: usize| {
        let names: Vec<String> =
            (0..90).map(|name| format!(" xmlns:n{depth}x{name}='{depth}x{name}'")).collect();
        format!("<n{}>", names.concat())
    };
    let nested: Vec<String> = (0..90).map(open).collect();
    let long = format!("<?xml version='1.0'?>{}{}", nested.concat(), "<n xmlns:n='u'/>".repeat(200_000));
    for text in [with(1001), long] {
        let refused = converted(&text, Format::Xml, &to(Format::Record)).unwrap_err();
        assert!(refused.ends_with("it declares more than 1000 namespaces"), "{refused}");
    }
}

/// What looks like the beginning of a document, where no document can begin.
#[test]
fn a_declaration_inside_a_document_does_not_split_it() {
    let game = lossless(SAMPLE, Format::Xml, Format::Record);
    for hidden in [
        "<!-- <?xml version=\"1.0\"?> -->",
        "<other><![CDATA[ <?xml version=\"1.0\"?> ]]></other>",
        "<?note <?xml version=\"1.0\" ?>",
    ] {
        let text = SAMPLE.replacen("<field ", &format!("{hidden}<field "), 1);
        assert_eq!(converted(&text, Format::Xml, &to(Format::Record)).unwrap().0, game, "{hidden}");
    }
    // Where a document breaks off, the next one still counts.
    let start = &SAMPLE[..SAMPLE.find("<field ").unwrap()];
    for torn in ["<!-- cut", "<field content=\"MB", "<![CDATA[ cut", "<?cut"] {
        let text = format!("{start}{torn}\n{SAMPLE}{SAMPLE}");
        let found: Vec<_> = entries(&text, Format::Xml, gravon()).collect();
        let read = found.iter().filter(|(_, source)| source.is_ok()).count();
        assert!(found[0].1.is_err() && read > 0, "{torn}: {found:?}");
    }
}

fn declared(encoding: &str) -> String {
    let text = SAMPLE.replacen("UTF-8", encoding, 1).replacen(">Bob<", ">J\u{fc}rgen<", 1);
    assert!(text.contains(encoding) && text.contains("J\u{fc}rgen"));
    text
}

fn latin(text: &str) -> Vec<u8> {
    text.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap()).collect()
}

fn utf16(text: &str, mark: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    mark.encode_utf16().chain(text.encode_utf16()).flat_map(bytes).collect()
}

#[test]
fn a_document_is_read_in_the_encoding_that_it_declares() {
    let expected = lossless(&declared("UTF-8"), Format::Xml, Format::Record);
    let (one_byte, two_bytes) = (declared("ISO-8859-1"), declared("UTF-16"));
    for bytes in [
        latin(&one_byte),
        latin(&declared("windows-1252")),
        latin(&one_byte.replacen("encoding=\"ISO-8859-1\"", "encoding = 'iso-8859-1'", 1)),
        utf16(&two_bytes, "\u{feff}", u16::to_le_bytes),
        utf16(&two_bytes, "\u{feff}", u16::to_be_bytes),
        utf16(&two_bytes, "", u16::to_le_bytes),
        utf16(&two_bytes, "", u16::to_be_bytes),
        two_bytes.clone().into_bytes(),
        declared("UTF-8").into_bytes(),
    ] {
        let text = decode(bytes).unwrap();
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        assert_eq!(lossless(text, Format::Xml, Format::Record), expected);
    }
    let euro = decode(b"<?xml version='1.0' encoding='windows-1252'?>\x80".to_vec()).unwrap();
    assert!(euro.ends_with('\u{20ac}'), "{euro}");
}

#[test]
fn what_is_in_no_known_encoding_or_another_than_declared_is_refused() {
    let refused = |bytes: Vec<u8>| decode(bytes).unwrap_err().to_string();
    assert!(refused(latin(&declared("UTF-8"))).contains("line 19 is not UTF-8"));
    assert!(refused(declared("EBCDIC-37").into_bytes()).contains("its encoding \"EBCDIC-37\" is not known"));
    let cut = utf16(SAMPLE, "\u{feff}", u16::to_le_bytes);
    assert!(refused(cut[..cut.len() - 1].to_vec()).contains("it is not UTF-16LE"));
    // Two documents in one file are of one encoding, as far as it matters.
    let text = format!("{}{SAMPLE}", declared("ISO-8859-1"));
    assert!(converted(&text, Format::Xml, &to(Format::Record)).is_ok());
    let text = format!("{}{}", declared("ISO-8859-1"), declared("UTF-8"));
    let error = converted(&text, Format::Xml, &to(Format::Record)).unwrap_err();
    assert!(error.contains("line 23: its encoding is declared to be another"), "{error}");
}
