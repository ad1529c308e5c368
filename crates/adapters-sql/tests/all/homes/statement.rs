//! What a statement says of homes: the tables of each of its parts, and whether the part compares the column of the home of each. Its text
//! is all that is known here.

use std::collections::BTreeMap;

/// The column of each table that names the home of a row.
pub(super) type HomeColumns = BTreeMap<String, String>;

/// The words with which a part in parentheses begins that reads or writes by itself.
const BEGINNINGS: [&str; 5] = ["SELECT", "WITH", "INSERT", "UPDATE", "DELETE"];
/// The words between two parts.
const BETWEEN: [&str; 3] = ["UNION", "EXCEPT", "INTERSECT"];
/// The words before a table.
const BEFORE_TABLES: [&str; 4] = ["FROM", "JOIN", "USING", "UPDATE"];
/// The words at which a list of tables ends.
const AFTER_TABLES: [&str; 9] = ["WHERE", "SET", "ON", "GROUP", "ORDER", "LIMIT", "RETURNING", "SELECT", "VALUES"];

/// A table in a part.
struct Reference<'a> {
    table: &'a str,
    /// The alias, or the table itself.
    name: &'a str,
    home: &'a str,
}

/// A side of a comparison: a column, and the name before it.
type Operand<'a> = (Option<&'a str>, &'a str);

/// The tables of which a statement means rows of no certain home.
pub(super) fn scattered<'a>(text: &'a str, columns: &'a HomeColumns) -> Vec<&'a str> {
    let parts = parts(&tokens(text));
    let mut found: Vec<&str> = parts.iter().flat_map(|part| scattered_in(part, columns)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The tables without a home whose rows a statement guards while it reads or changes rows of a home.
pub(super) fn guarded_elsewhere<'a>(text: &'a str, columns: &HomeColumns) -> Vec<&'a str> {
    let parts = parts(&tokens(text));
    if !parts.iter().flat_map(|part| tables(part)).any(|table| columns.contains_key(table)) {
        return Vec::new();
    }
    let guards = parts.iter().filter(|part| part.ends_with(&["FOR", "SHARE"]));
    guards.flat_map(|part| tables(part)).filter(|table| !columns.contains_key(*table)).collect()
}

/// The table after each word that introduces one.
fn tables<'a>(part: &[&'a str]) -> impl Iterator<Item = &'a str> {
    let pairs = part.windows(2).filter(|pair| pair[0] == "INTO" || BEFORE_TABLES.contains(&pair[0]));
    pairs.map(|pair| pair[1])
}

fn tokens(text: &str) -> Vec<&str> {
    let (mut found, mut rest) = (Vec::new(), text.trim_start());
    while let Some(first) = rest.chars().next() {
        let (token, behind) = rest.split_at(length(first, rest));
        found.push(token);
        rest = behind.trim_start();
    }
    found
}

/// The length of the token at the beginning.
fn length(first: char, rest: &str) -> usize {
    if first == '\'' {
        return rest.get(1..).and_then(|text| text.find('\'')).map_or(rest.len(), |end| end + 2);
    }
    let is_same: fn(char) -> bool = if is_of_word(first) {
        is_of_word
    } else if is_of_operator(first) {
        is_of_operator
    } else {
        return first.len_utf8();
    };
    rest.find(|character: char| !is_same(character)).unwrap_or(rest.len())
}

fn is_of_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || "_$".contains(character)
}

fn is_of_operator(character: char) -> bool {
    "<>=!-+*/|~@#%^&?:".contains(character)
}

/// The parts of a statement, each without the parts within it.
fn parts<'a>(tokens: &[&'a str]) -> Vec<Vec<&'a str>> {
    let (mut ended, mut open, mut begin_parts) = (Vec::new(), vec![Vec::new()], Vec::new());
    for (at, token) in tokens.iter().enumerate() {
        let begins_part = *token == "(" && tokens.get(at + 1).is_some_and(|next| BEGINNINGS.contains(next));
        match *token {
            "(" => begin_parts.push(begins_part),
            ")" if begin_parts.pop() == Some(true) => ended.extend(open.pop()),
            _ => {}
        }
        let current = open.last_mut().unwrap();
        if BETWEEN.contains(token) {
            ended.push(std::mem::take(current));
        } else {
            current.push(*token);
        }
        if begins_part {
            open.push(Vec::new());
        }
    }
    ended.extend(open);
    ended
}

fn scattered_in<'a>(part: &[&'a str], columns: &'a HomeColumns) -> Vec<&'a str> {
    let tables = references(part, columns);
    let mut is_certain = vec![false; tables.len()];
    let mut same = Vec::new();
    for at in (0..part.len()).filter(|at| part[*at] == "=") {
        match (place(&tables, before(part, at)), place(&tables, after(part, at))) {
            (Some(one), Some(other)) => same.push((one, other)),
            (Some(one), None) | (None, Some(one)) => is_certain[one] = true,
            (None, None) => {}
        }
    }
    // Each time at least one more is certain, or none ever will be.
    for _ in 0..same.len() {
        for (one, other) in &same {
            let either = is_certain[*one] || is_certain[*other];
            (is_certain[*one], is_certain[*other]) = (either, either);
        }
    }
    let uncertain = tables.iter().zip(is_certain).filter(|(_, is_certain)| !is_certain);
    uncertain.map(|(reference, _)| reference.table).chain(insertion_without_home(part, columns)).collect()
}

/// The tables from which a part reads, or whose rows it changes or deletes.
fn references<'a>(part: &[&'a str], columns: &'a HomeColumns) -> Vec<Reference<'a>> {
    let (mut found, mut is_expected, mut is_in_list) = (Vec::new(), false, false);
    for (at, token) in part.iter().enumerate() {
        if let Some(home) = columns.get(*token).filter(|_| is_expected) {
            found.push(Reference { table: token, name: name_at(part, at), home });
        }
        is_expected = BEFORE_TABLES.contains(token) || (*token == "," && is_in_list);
        is_in_list = BEFORE_TABLES.contains(token) || (is_in_list && !AFTER_TABLES.contains(token));
    }
    found
}

/// The name that the rest of a part has for the table at a place. Keywords are in capitals.
fn name_at<'a>(part: &[&'a str], at: usize) -> &'a str {
    let next = if part.get(at + 1) == Some(&"AS") { at + 2 } else { at + 1 };
    let alias = part.get(next).filter(|word| word.starts_with(|first: char| first.is_ascii_lowercase()));
    alias.copied().unwrap_or(part[at])
}

/// The table to which a part adds rows without their home.
fn insertion_without_home<'a>(part: &[&'a str], columns: &HomeColumns) -> Option<&'a str> {
    let table = *part.get(part.iter().position(|token| *token == "INTO")? + 1)?;
    let home = columns.get(table)?;
    let mut given = part.iter().skip_while(|token| **token != "INTO").take_while(|token| **token != ")");
    if given.any(|token| token == home) { None } else { Some(table) }
}

fn before<'a>(part: &[&'a str], at: usize) -> Operand<'a> {
    let token = |back: usize| at.checked_sub(back).map_or("", |at| part[at]);
    ((token(2) == ".").then(|| token(3)), token(1))
}

fn after<'a>(part: &[&'a str], at: usize) -> Operand<'a> {
    let token = |on: usize| part.get(at + on).copied().unwrap_or_default();
    if token(2) == "." { (Some(token(1)), token(3)) } else { (None, token(1)) }
}

/// Which table's home a side of a comparison is.
fn place(tables: &[Reference<'_>], operand: Operand<'_>) -> Option<usize> {
    let (name, column) = operand;
    tables.iter().position(|table| table.home == column && name.is_none_or(|name| name == table.name))
}

fn sample_columns() -> HomeColumns {
    let of_workspaces = ["intents", "purchases"].map(|table| (table, "workspace_id"));
    let others = [("audit_events", "log_id"), ("workspaces", "id")];
    let homes = of_workspaces.into_iter().chain(others);
    homes.map(|(table, column)| (table.to_owned(), column.to_owned())).collect()
}

fn scattered_among_samples(text: &str) -> Vec<String> {
    scattered(text, &sample_columns()).into_iter().map(str::to_owned).collect()
}

#[test]
fn a_statement_that_compares_the_home_of_every_table_is_of_one_home() {
    for text in [
        "SELECT id FROM purchases WHERE workspace_id = $1 AND id < $2",
        "SELECT p.id FROM purchases p LEFT JOIN intents AS i ON i.workspace_id = p.workspace_id AND i.id = p.intent_id \
         WHERE p.workspace_id = $1",
        "INSERT INTO purchases AS p (id, workspace_id) SELECT (v ->> 0)::uuid, $1 FROM json_array_elements($2) AS v \
         ON CONFLICT (workspace_id, id) DO UPDATE SET version = p.version + 1",
        "WITH part_0 AS (UPDATE purchases SET status = $1 WHERE workspace_id = $2 AND id = $3 RETURNING 1) \
         SELECT CASE WHEN NOT EXISTS (SELECT 1 FROM part_0) THEN refuse('TP002') END",
        "SELECT 1 FROM workspaces WHERE id = $1 FOR SHARE",
        "SELECT name FROM users WHERE email = 'FROM purchases WHERE'",
        "SELECT (SELECT count(*) FROM audit_events WHERE log_id = $1) FROM (SELECT 1) AS log",
        "SELECT id FROM workspaces w WHERE w.id = $1 AND EXISTS (SELECT 1 FROM intents i WHERE i.workspace_id = w.id)",
    ] {
        assert_eq!(scattered_among_samples(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn a_statement_that_does_not_compare_a_home_is_found_with_its_tables() {
    for (text, tables) in [
        ("SELECT id FROM purchases WHERE status = 1", vec!["purchases"]),
        ("SELECT 1 FROM purchases WHERE (workspace_id, id) > ($1, $2)", vec!["purchases"]),
        ("SELECT 1 FROM purchases WHERE workspace_id <> $1", vec!["purchases"]),
        ("SELECT 1 FROM intents WHERE workspace_id IN (SELECT id FROM workspaces)", vec!["intents", "workspaces"]),
        ("SELECT 1 FROM purchases WHERE workspace_id = $1 UNION SELECT 1 FROM intents WHERE id = $2", vec!["intents"]),
        ("SELECT 1 FROM purchases p, intents i WHERE p.workspace_id = $1 AND i.id = p.intent_id", vec!["intents"]),
        (
            "SELECT 1 FROM intents i JOIN workspaces w ON w.id = i.workspace_id WHERE i.status = 1",
            vec!["intents", "workspaces"],
        ),
        ("DELETE FROM intents WHERE ctid = ANY(ARRAY(SELECT ctid FROM intents WHERE at < $1))", vec!["intents"]),
        ("INSERT INTO purchases (id, status) VALUES ($1, $2)", vec!["purchases"]),
    ] {
        assert_eq!(scattered_among_samples(text), tables, "{text}");
    }
}

#[test]
fn a_guard_of_a_row_without_a_home_is_found_in_a_statement_of_one() {
    let guard = "WITH part_0 AS (SELECT 1 FROM users WHERE id = $1 AND version = $2 FOR SHARE)";
    for (rest, tables) in [
        (", part_1 AS (UPDATE purchases SET status = $3 WHERE workspace_id = $4) SELECT true", vec!["users"]),
        (", part_1 AS (INSERT INTO intents (id, workspace_id) VALUES ($3, $4)) SELECT true", vec!["users"]),
        (", part_1 AS (SELECT 1 FROM intents WHERE workspace_id = $3 FOR SHARE) SELECT true", vec!["users"]),
        (", part_1 AS (INSERT INTO sessions (id) VALUES ($3) RETURNING 1) SELECT true", vec![]),
    ] {
        let text = format!("{guard}{rest}");
        assert_eq!(guarded_elsewhere(&text, &sample_columns()), tables, "{text}");
    }
    let read = "SELECT 1 FROM users u JOIN intents i ON i.workspace_id = $1 WHERE u.id = $2";
    assert_eq!(guarded_elsewhere(read, &sample_columns()), Vec::<&str>::new());
}
