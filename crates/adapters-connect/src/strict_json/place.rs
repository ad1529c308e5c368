//! Where in a JSON text an error lies: from line and column to the path of the field.

/// The field at which reading failed, such as `buying.budgetCents` or `purchaseIds[2]`, and what was wrong there.
/// `None` when the error lies in no field.
pub(super) fn of_error<'a>(json: &[u8], said: &'a str) -> Option<(String, &'a str)> {
    let (problem, position) = said.rsplit_once(" at line ")?;
    let (line, column) = position.split_once(" column ")?;
    let end = offset(json, line.parse().ok()?, column.parse().ok()?)?;
    let read = json.get(..end)?;
    // What is found wrong only once a value was read is reported behind the object that ends with it.
    let path = path_at(read.strip_suffix(b"}").unwrap_or(read));
    (!path.is_empty()).then_some((path, problem))
}

/// The number of bytes up to a line and column, both counted from 1.
fn offset(json: &[u8], line: usize, column: usize) -> Option<usize> {
    let before: usize = json.split_inclusive(|byte| *byte == b'\n').take(line.checked_sub(1)?).map(<[u8]>::len).sum();
    Some(before.checked_add(column)?.min(json.len()))
}

/// A container that is open.
enum Open {
    Object { key: Option<String> },
    List { index: usize },
}

/// The path of the value that is being read at the end of `read`, the beginning of a JSON text.
fn path_at(read: &[u8]) -> String {
    let mut open = Vec::new();
    let mut rest = read.iter();
    let mut text = None;
    while let Some(byte) = rest.next() {
        match byte {
            b'"' => text = Some(string(&mut rest)),
            b'{' => open.push(Open::Object { key: None }),
            b'[' => open.push(Open::List { index: 0 }),
            b'}' | b']' => drop(open.pop()),
            b':' => {
                if let Some(Open::Object { key }) = open.last_mut() {
                    *key = text.take();
                }
            }
            b',' => match open.last_mut() {
                Some(Open::Object { key }) => *key = None,
                Some(Open::List { index }) => *index = index.saturating_add(1),
                None => {}
            },
            _ => {}
        }
    }
    let mut path = String::new();
    for part in open {
        match part {
            Open::Object { key: Some(key) } if path.is_empty() => path = key,
            Open::Object { key: Some(key) } => path.extend([".", &key]),
            Open::Object { key: None } => {}
            Open::List { index } => path.extend(["[", &index.to_string(), "]"]),
        }
    }
    path
}

/// The rest of a string whose opening quote was read. Names of fields have no escapes, so none are resolved.
fn string(rest: &mut std::slice::Iter<'_, u8>) -> String {
    let mut bytes = Vec::new();
    while let Some(byte) = rest.next() {
        match byte {
            b'"' => break,
            b'\\' => bytes.extend(rest.next()),
            _ => bytes.push(*byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_field_that_is_being_read_is_named() {
        assert_eq!(path_at(br#"{"limit": "ten""#), "limit");
        assert_eq!(path_at(br#"{"a": {"b\"c": [1, {"d": 2}, fal"#), r#"a.b"c[2]"#);
        assert_eq!(path_at(br#"{"a": 1, "b": "x:y", "c": t"#), "c");
    }

    #[test]
    fn outside_of_fields_nothing_is_named() {
        assert_eq!(path_at(b"{"), "");
        assert_eq!(path_at(br#"{"a": 1, "b"#), "");
    }

    #[test]
    fn line_and_column_give_the_place() {
        let json = b"{\n  \"limit\": \"ten\"\n}";
        let said = "invalid type: string \"ten\" at line 2 column 16";
        assert_eq!(of_error(json, said), Some(("limit".to_owned(), "invalid type: string \"ten\"")));
        let behind = br#"{"terms": {"kind": "odd"}}"#;
        assert_eq!(of_error(behind, "unknown at line 1 column 25"), Some(("terms.kind".to_owned(), "unknown")));
        assert_eq!(of_error(json, "no place given"), None);
        assert_eq!(of_error(json, "odd at line 0 column 0"), None);
    }
}
