//! The pull reader against serde_json on what both read, and on what only this one does.

use std::io::Cursor;

use proptest::prelude::*;

use super::*;

fn reader(text: &[u8]) -> JsonReader<Cursor<&[u8]>> {
    JsonReader::new(Cursor::new(text))
}

type Table = (Vec<[i64; 3]>, Vec<(u64, RowFault)>, Result<()>);

fn table(text: &[u8]) -> Table {
    let (mut rows, mut faults) = (Vec::new(), Vec::new());
    let result = reader(text).rows(
        |row| {
            rows.push(row);
            if row[0] == 13 { Err("13") } else { Ok(()) }
        },
        |at, fault| faults.push((at, fault)),
    );
    (rows, faults, result)
}

#[test]
fn rows_of_every_shape() {
    let (rows, faults, result) = table(
        b" [[1,2,3],\n [ -4 ,\t5, 6 ] ,[7,8],[1,2,3,[4],{\"a\":5}],[1,null,3],7,[1,2.5,3],[],[9,9,9]] ",
    );
    assert!(result.is_ok());
    assert_eq!(rows, [[1, 2, 3], [-4, 5, 6], [1, 2, 3], [9, 9, 9]]);
    let kinds: Vec<_> = faults.iter().map(|(_, fault)| *fault).collect();
    use RowFault::{NotARow, NotIntegers, Short};
    assert_eq!(kinds, [Short, NotIntegers, NotARow, NotIntegers, Short]);
    assert_eq!(faults[0].0, 27);
}

#[test]
fn rows_out_of_range_have_their_byte() {
    let (_, faults, _) = table(b"[[1,2,3], [13,2,3],[1,2,3],[13,2,3,4],[1,2,3]]");
    assert_eq!(faults, [(10, RowFault::OutOfRange("13")), (27, RowFault::OutOfRange("13"))]);
}

/// A file whose disk fails, or whose compressed stream ends, gives what came before.
#[test]
fn what_was_read_before_an_error_is_good() {
    struct Failing<'a>(&'a [u8], io::ErrorKind);
    impl Read for Failing<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.0.read(buffer)? {
                0 => Err(self.1.into()),
                count => Ok(count),
            }
        }
    }
    for (kind, is_truncation) in [(io::ErrorKind::UnexpectedEof, true), (io::ErrorKind::InvalidData, false)] {
        let mut rows: Vec<[i64; 3]> = Vec::new();
        let mut reader = JsonReader::new(Failing(b"[[1,2,3],[4,5,6],[7,", kind));
        let result = reader.rows(
            |row| {
                rows.push(row);
                Ok(())
            },
            |_, fault| panic!("{fault:?}"),
        );
        let error = result.unwrap_err();
        assert_eq!((rows.len(), error.offset, error.is_truncation()), (2, 20, is_truncation), "{error}");
        // And it ends.
        assert!(reader.skip().is_err() && reader.skip().is_err());
    }
}

#[test]
fn numbers_at_their_limits() {
    let text =
        b"[[9223372036854775807,-9223372036854775808,18446744073709551615],[1,2,99999999999999999999]]";
    let (rows, faults, result) = table(text);
    assert!(result.is_ok());
    assert_eq!(rows, [[i64::MAX, i64::MIN, -1]]);
    assert_eq!(faults, [(65, RowFault::NotIntegers)]);
}

#[test]
fn integers_of_every_length() {
    let mut text = "[".to_owned();
    let mut expected = Vec::new();
    for length in 1..=18 {
        for digits in ["123456789012345678", "999999999999999999", "100000000000000000", "000000000000000000"]
        {
            let number: i64 = digits[..length].parse().unwrap();
            expected.push([number, -number, 7]);
            text += &format!("[{0},-{0},7],[ {0} ,\t-{0}\n, 7 ],", &digits[..length]);
        }
    }
    // The fast way ends before the last rows of a buffer.
    text += "[0,0,0]]";
    let expected: Vec<_> = expected.iter().flat_map(|row| [*row, *row]).chain([[0; 3]]).collect();
    assert_eq!(table(text.as_bytes()).0, expected);
}

/// Whatever byte stands behind digits, or in their place.
#[test]
fn digits_end_at_the_first_byte_that_is_none() {
    for count in 0..=8 {
        for other in (0..=255_u8).filter(|byte| !byte.is_ascii_digit()) {
            let mut text = *b"98765432";
            text[count..].fill(other);
            let (value, found) = rows::digits(u64::from_le_bytes(text));
            let expected = std::str::from_utf8(&text[..count]).unwrap().parse().unwrap_or_default();
            assert_eq!((value, found), (expected, count), "{text:?}");
        }
    }
}

#[test]
fn a_table_gives_everything_before_its_cut() {
    let text = b"[[1,2,3],[4,5,6],[7,8,9]]";
    for cut in 0..text.len() {
        let (rows, faults, result) = table(&text[..cut]);
        let error = result.unwrap_err();
        assert!(error.is_truncation(), "{cut}: {error}");
        assert_eq!(error.offset, cut as u64);
        assert!(faults.is_empty());
        // A row counts as soon as its bracket is there.
        assert_eq!(rows.len(), text[..cut].iter().filter(|&&byte| byte == b']').count());
    }
}

#[test]
fn strings_with_everything_in_them() {
    let text = br#""a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\udc00x\ud800\ud800\u0041\ud800\n""#;
    let expected = "a\"\\/\u{8}\u{c}\n\r\t\u{e9}\u{1f600}\u{fffd}x\u{fffd}\u{fffd}A\u{fffd}\n";
    assert_eq!(String::from_utf8(reader(text).string().unwrap()).unwrap(), expected);
    assert_eq!(reader(b"\"\xFF\x01;\"").string().unwrap(), b"\xFF\x01;");
    for bad in [&b"\"\\x\""[..], b"\"\\u12g4\"", b"x"] {
        assert!(!reader(bad).string().unwrap_err().is_truncation());
    }
    let long = [vec![b'"'], vec![b'x'; STRING_LIMIT + 1], vec![b'"']].concat();
    assert!(matches!(reader(&long).string().unwrap_err().reason, JsonReason::LongString));
}

#[test]
fn skipping_takes_no_stack_and_crosses_buffers() {
    let deep = [vec![b'['; 1 << 20], vec![b']'; 1 << 20], b"7".to_vec()].concat();
    let mut reader = reader(&deep);
    reader.skip().unwrap();
    assert_eq!(reader.number().unwrap(), Some(Number::Int(7)));
    assert_eq!(reader.offset(), (2 << 20) + 1);
    let text = [b"[\"".to_vec(), vec![b'x'; BUFFER - 3], b"\\\"\",1]".to_vec()].concat();
    let mut reader = JsonReader::new(Cursor::new(&text[..]));
    reader.skip().unwrap();
    assert!(reader.skip().unwrap_err().is_truncation());
}

#[test]
fn null_is_an_empty_table() {
    let mut calls = 0;
    reader(b"null")
        .object(|_, _| {
            calls += 1;
            Ok(())
        })
        .unwrap();
    reader(b" null")
        .array(|_, _| {
            calls += 1;
            Ok(())
        })
        .unwrap();
    assert_eq!((calls, table(b"null").0.len(), table(b"[]").0.len()), (0, 0, 0));
}

proptest! {
    #[test]
    fn tables_read_as_serde_json_reads_them(
        rows in prop::collection::vec(prop::array::uniform3((any::<i64>(), 0..64)), 0..200),
        pretty: bool,
    ) {
        let rows: Vec<[i64; 3]> = rows.iter().map(|row| row.map(|(value, shift)| value >> shift)).collect();
        let text = if pretty { serde_json::to_vec_pretty(&rows) } else { serde_json::to_vec(&rows) }.unwrap();
        let (read, faults, result) = table(&text);
        let out_of_range = rows.iter().filter(|row| row[0] == 13).count();
        prop_assert!(result.is_ok() && faults.len() == out_of_range);
        prop_assert_eq!(read, rows);
    }

    #[test]
    fn strings_read_as_serde_json_reads_them(text: String) {
        let json = serde_json::to_vec(&text).unwrap();
        prop_assert_eq!(reader(&json).string().unwrap(), text.into_bytes());
    }

    #[test]
    fn no_bytes_panic_or_hang(bytes in prop::collection::vec(prop::sample::select(&b"[]{}\",:0123456789-.eE\\untrfalse \xFF"[..]), 0..300)) {
        let _ = reader(&bytes).skip();
        let _ = table(&bytes);
        let _ = reader(&bytes).object(|reader, _| reader.skip());
        let _ = reader(&bytes).number();
        let _ = reader(&bytes).string();
    }
}
