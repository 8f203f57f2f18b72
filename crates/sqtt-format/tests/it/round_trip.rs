//! Maps are read back as they were written, whatever the names hold.

use proptest::prelude::*;
use sqtt_format::{
    AddressKind, Entry, Funcmap, Marker, MarkerEncoding, SystemPoint, WarningKind, WaveSize, WriteError,
};

/// Any bytes, but mostly those that mean something to a reader.
fn hostile() -> impl Strategy<Value = Vec<u8>> {
    let pieces: Vec<&[u8]> = vec![
        b"\n",
        b"\r",
        b"\0",
        b"@",
        b"%",
        b"%:",
        b"%0A",
        b":",
        b";",
        b" ",
        b"\t",
        b"\x0B",
        b"\x1D",
        b"F:1:x",
        b"\nU:9:forged\n",
        b"R:1:extra_payload_count=7",
        b"W:64",
        b"M:shader_clock_bits=3",
        b"barrier",
        b"addr_trace_load",
        b"\xC2\x85",
        b"\xE2\x80\xA8",
        b"\xE2\x80",
        b"\xFF",
        b"\xC3\xA9",
        b"_Z4workPi",
        b"->",
    ];
    let piece = prop_oneof![
        4 => prop::sample::select(pieces).prop_map(<[u8]>::to_vec),
        1 => any::<Vec<u8>>(),
        1 => "[a-z]{1,8}".prop_map(String::into_bytes),
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

fn entry(id: u32) -> impl Strategy<Value = Entry> {
    let wave = prop::sample::select(&WaveSize::ALL[..]);
    prop_oneof![
        (hostile(), hostile()).prop_map(move |(name, loc)| Entry::function(id, name).at(loc)),
        (hostile(), hostile()).prop_map(|(name, loc)| Entry::kernel(name).at(loc)),
        hostile().prop_map(move |name| Entry::user(id, name)),
        (hostile(), hostile()).prop_map(move |(name, loc)| Entry::point(id, name).at(loc)),
        hostile().prop_map(move |name| Entry::data(id, name)),
        (hostile(), any::<u32>()).prop_map(move |(name, n)| Entry::user(id, name).with_payload(n)),
        prop::sample::select(&SystemPoint::ALL[..]).prop_map(move |point| Entry::system(id, point)),
        (prop::sample::select(&AddressKind::ALL[..]), wave, hostile())
            .prop_map(move |(kind, wave, loc)| Entry::address(id, kind, wave).at(loc)),
    ]
}

fn entries(max_id: u32) -> impl Strategy<Value = Vec<Entry>> {
    prop::collection::btree_set(1..=max_id, 0..12)
        .prop_map(|ids| ids.into_iter().collect::<Vec<_>>())
        .prop_shuffle()
        .prop_flat_map(|ids| ids.into_iter().map(entry).collect::<Vec<_>>())
}

fn sorted(map: &Funcmap) -> Funcmap {
    let mut sorted = Funcmap::new();
    sorted.set_marker_encoding(map.marker_encoding());
    if let Some(wave) = map.wave_size().and_then(WaveSize::from_lanes) {
        sorted.set_wave_size(wave);
    }
    map.sorted_entries().into_iter().for_each(|entry| sorted.push(entry.clone()));
    sorted
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.max(2000)))]

    #[test]
    fn maps_read_back(
        entries in entries(Marker::MAX_ID),
        wave in prop::option::of(prop::sample::select(&WaveSize::ALL[..])),
    ) {
        let mut map = Funcmap::new();
        entries.into_iter().for_each(|entry| map.push(entry));
        wave.into_iter().for_each(|wave| map.set_wave_size(wave));
        let section = map.to_bytes().unwrap();
        let read = Funcmap::parse(&section);
        prop_assert_eq!(&read.warnings, &[]);
        prop_assert_eq!(&read.map, &sorted(&map));
        // One row per entry, one per payload, one per wave size: nothing is forged, for any reader.
        let payloads = map.entries().iter().filter(|entry| entry.extra_payload_count() > 0).count();
        let rows = map.entries().len() + payloads + usize::from(wave.is_some());
        prop_assert_eq!(section.iter().filter(|&&byte| byte == b'\n').count(), rows);
        prop_assert_eq!(section.iter().position(|&byte| byte == 0), Some(section.len() - 1));
        prop_assert!(!section.iter().any(|byte| matches!(byte, b'\r' | 0x0B | 0x0C | 0x1C..=0x1E)));
        // Writing again changes nothing.
        prop_assert_eq!(read.map.to_bytes().unwrap(), section);
    }

    #[test]
    fn packed_maps_read_back(bits in 1u32..=20, shift in 0u32..=12, entries in entries(200)) {
        let mut map = Funcmap::new();
        map.set_marker_encoding(MarkerEncoding::new(bits, shift).unwrap());
        let plain = entries.into_iter().filter(|entry| entry.extra_payload_count() == 0);
        plain.for_each(|entry| map.push(entry));
        let read = Funcmap::parse(&map.to_bytes().unwrap());
        prop_assert_eq!(&read.warnings, &[]);
        prop_assert_eq!(&read.map, &sorted(&map));
    }

    #[test]
    fn any_bytes_are_read(section in prop_oneof![any::<Vec<u8>>(), hostile()]) {
        let read = Funcmap::parse(&section);
        for warning in &read.warnings {
            let text = warning.to_string();
            prop_assert!(!text.chars().any(char::is_control), "{text:?}");
        }
        let rows = section.split(|byte| matches!(byte, b'\n' | 0)).count();
        prop_assert!(read.map.entries().len() <= rows && read.warnings.len() <= rows);
    }
}

fn map_of(entries: impl IntoIterator<Item = Entry>) -> Funcmap {
    let mut map = Funcmap::new();
    entries.into_iter().for_each(|entry| map.push(entry));
    map
}

#[test]
fn rows_are_in_the_order_of_the_existing_producer() {
    let mut map = map_of([
        Entry::address(9, AddressKind::LdsLoad, WaveSize::Wave32).at("a.hip:3"),
        Entry::system(5, SystemPoint::Barrier),
        Entry::data(8, "sum"),
        Entry::function(3, "_Z1bv").at("a.hip:2"),
        Entry::user(4, "outer"),
        Entry::kernel("_Z1kv").at("a.hip:9"),
        Entry::function(1, "_Z1av"),
    ]);
    map.set_wave_size(WaveSize::Wave32);
    let expected = "F:1:_Z1av\nF:3:_Z1bv@a.hip:2\nK:_Z1kv@a.hip:9\nP:8:sum\nR:8:extra_payload_count=1\n\
                    U:4:outer\nP:5:barrier\nW:32\nP:9:addr_trace_lds_load@a.hip:3\n\
                    R:9:extra_payload_count=34\n\0";
    assert_eq!(String::from_utf8(map.to_bytes().unwrap()).unwrap(), expected);

    let mut map = map_of([Entry::user(1, "a")]);
    map.set_marker_encoding(MarkerEncoding::new(12, 4).unwrap());
    assert_eq!(map.to_bytes().unwrap(), b"M:shader_clock_bits=12;shader_clock_shift=4\nU:1:a\n\0");
}

#[test]
fn a_map_that_would_be_misread_is_not_written() {
    let error = |map: &Funcmap| map.to_bytes().unwrap_err();
    assert!(matches!(error(&map_of([Entry::user(0, "a")])), WriteError::IdOutOfRange { id: 0, .. }));
    assert!(matches!(error(&map_of([Entry::user(1 << 30, "a")])), WriteError::IdOutOfRange { .. }));
    let twice = map_of([Entry::user(1, "a"), Entry::point(1, "b")]);
    assert_eq!(error(&twice).to_string(), "marker id 1 is given twice, the second time to \"b\"");

    let mut packed = map_of([Entry::data(1, "a")]);
    packed.set_marker_encoding(MarkerEncoding::new(12, 4).unwrap());
    assert!(matches!(error(&packed), WriteError::PayloadWithClock { count: 1, bits: 12, .. }));
    let mut packed = map_of([Entry::user(1 << 18, "a")]);
    packed.set_marker_encoding(MarkerEncoding::new(12, 4).unwrap());
    assert!(matches!(error(&packed), WriteError::IdOutOfRange { max: 0x3FFFF, .. }));
    packed.set_marker_encoding(MarkerEncoding { shader_clock_bits: 30, shader_clock_shift: 0 });
    assert!(matches!(error(&packed), WriteError::InvalidEncoding { bits: 30, shift: 0 }));
}

#[test]
fn rows_may_come_in_any_order_and_payloads_reach_every_row_of_their_id() {
    let read =
        Funcmap::parse(b"R:2:extra_payload_count=3\nU:2:a\nP:2:b\nW:64\nR:5:extra_payload_count=4\nW:32");
    let counts: Vec<_> = read.map.entries().iter().map(Entry::extra_payload_count).collect();
    assert_eq!(counts, [3, 3]);
    assert_eq!(read.map.find(2).unwrap().name(), b"b");
    assert_eq!(read.map.wave_size(), Some(32));
    assert_eq!(read.map.payload_count(5), 4);
    assert_eq!(read.map.payloads_without_row().collect::<Vec<_>>(), [(5, 4)]);
    let kinds: Vec<_> = read.warnings.into_iter().map(|warning| warning.kind).collect();
    let duplicate = WarningKind::DuplicateId { id: 2, earlier: "a".into(), later: "b".into() };
    assert_eq!(kinds, [duplicate, WarningKind::PayloadWithoutRow { id: 5 }]);
}

#[test]
fn layout_rows() {
    let layout = |rows: &str| {
        let read = Funcmap::parse(rows.as_bytes());
        let encoding = read.map.marker_encoding();
        (encoding.shader_clock_bits, encoding.shader_clock_shift, read.warnings.len())
    };
    assert_eq!(layout("M:shader_clock_shift=4;new=x;shader_clock_bits=12"), (12, 4, 0));
    assert_eq!(layout("M:shader_clock_bits=0"), (0, 0, 0));
    assert_eq!(layout("M:new=1"), (0, 0, 0));
    // Malformed rows leave the layout that held before.
    for bad in [
        "shader_clock_bits=9",
        "shader_clock_bits=30;shader_clock_shift=0",
        "shader_clock_bits=0;shader_clock_shift=33",
        "shader_clock_bits=20;shader_clock_shift=13",
        "shader_clock_bits=+1;shader_clock_shift=1",
        "shader_clock_bits=4294967296;shader_clock_shift=1",
        "shader_clock_bits=1;shader_clock_shift=",
    ] {
        let rows = format!("M:shader_clock_bits=12;shader_clock_shift=4\nM:{bad}\n");
        assert_eq!(layout(&rows), (12, 4, 1), "{bad}");
    }
}

#[test]
fn ids_are_plain_decimal_numbers() {
    for bad in ["+1", " 1", "1_0", "-1", "0x1", "", "4294967296", "99999999999999999999"] {
        let read = Funcmap::parse(format!("U:{bad}:name\n").as_bytes());
        assert_eq!((read.map.entries().len(), read.warnings.len()), (0, 1), "{bad}");
    }
    for bad in
        ["U:1", "U:1:", "U:1:@a.c:1", "K:", "K:@a.c:1", "P", " U:1:x", "R:1:extra_payload_count=", "R:1"]
    {
        let read = Funcmap::parse(bad.as_bytes());
        assert_eq!((read.map.entries().len(), read.warnings.len()), (0, 1), "{bad}");
    }
    let read = Funcmap::parse(b"U:4294967295:top\nU:0:zero\nU:007:bond");
    assert!(read.map.find(u32::MAX).is_some() && read.map.find(0).is_some() && read.map.find(7).is_some());
}

#[test]
fn a_million_rows_are_read() {
    let map = map_of((1..=1_000_000).map(|id| Entry::user(id, format!("scope {id}"))));
    let section = map.to_bytes().unwrap();
    assert_eq!(Funcmap::parse(&section).map.entries().len(), 1_000_000);
}
