//! Spans of time as people write them: `90d`, `12h` or `30m`.

use time::Duration;

/// The span that a text names.
pub(crate) fn parse(text: &str) -> Option<Duration> {
    let (number, unit) = text.split_at_checked(text.len().saturating_sub(1))?;
    let number: u32 = number.parse().ok()?;
    let seconds = match unit {
        "d" => 86_400,
        "h" => 3_600,
        "m" => 60,
        _ => return None,
    };
    Some(Duration::seconds(i64::from(number) * seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_a_number_and_a_unit() {
        assert_eq!(
            ["90d", "12h", "30m"].map(parse),
            [Duration::days(90), Duration::hours(12), Duration::minutes(30)].map(Some)
        );
        assert_eq!(["", "d", "12", "-1h", "1é", "1.5h"].map(parse), [None; 6]);
    }
}
