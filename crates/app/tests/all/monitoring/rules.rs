//! The alert rules, read line by line: a file of another form than the one of all rules is an error. The form is YAML, and no line has
//! what YAML would read in another way.

/// An alert rule.
#[derive(Debug, Default)]
pub(crate) struct AlertRule {
    pub(crate) alert: String,
    pub(crate) expr: String,
    pub(crate) wait: String,
    pub(crate) severity: String,
    pub(crate) summary: String,
    pub(crate) runbook_url: String,
}

/// Reads the rules of a file.
pub(crate) fn read(text: &str) -> Vec<AlertRule> {
    let mut lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()).peekable();
    assert_eq!(lines.next(), Some("groups:"));
    let mut rules = Vec::new();
    while let Some(line) = lines.next() {
        if line.starts_with("  - name: ") {
            assert_eq!(lines.next(), Some("    rules:"), "{line}");
            continue;
        }
        let alert = plain(after(line, "      - alert: "));
        let mut expr = after(next(&mut lines), "        expr: ").to_owned();
        if expr == "|" {
            expr.clear();
            while let Some(part) = lines.next_if(|line| line.starts_with("          ")) {
                expr = format!("{expr} {}", part.trim());
            }
        } else {
            plain(&expr);
        }
        let wait = plain(after(next(&mut lines), "        for: "));
        let severity = after(next(&mut lines), "        labels: { severity: ").trim_end_matches(" }").to_owned();
        assert_eq!(lines.next(), Some("        annotations:"), "{alert}");
        let summary = after(next(&mut lines), "          summary: ");
        let inner =
            summary.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or_else(|| panic!("{summary}"));
        assert!(!inner.contains(['"', '\\']), "{summary}");
        let runbook_url = plain(after(next(&mut lines), "          runbook_url: "));
        rules.push(AlertRule { alert, expr, wait, severity, summary: inner.to_owned(), runbook_url });
    }
    rules
}

fn next<'a>(lines: &mut impl Iterator<Item = &'a str>) -> &'a str {
    lines.next().unwrap_or_else(|| panic!("a rule lacks one of its parts"))
}

fn after<'a>(line: &'a str, beginning: &str) -> &'a str {
    line.strip_prefix(beginning).unwrap_or_else(|| panic!("{line:?} does not begin with {beginning:?}"))
}

/// A text without quotation marks: nothing in it begins a comment, a key or a collection.
fn plain(text: &str) -> String {
    let is_plain = text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.ends_with([':', ' ']);
    assert!(is_plain, "{text:?} needs quotation marks or a block");
    text.to_owned()
}
