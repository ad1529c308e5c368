//! The part of `PromQL` that the dashboard and the alert rules use, as a parser: what it does not know is an error.

use std::collections::BTreeSet;

/// Functions that take the values of a span.
const OF_SPANS: [&str; 3] = ["rate", "increase", "changes"];
const FUNCTIONS: [&str; 3] = ["time", "abs", "histogram_quantile"];
const AGGREGATIONS: [&str; 3] = ["sum", "max", "min"];
const OPERATORS: [&str; 10] = ["==", "!=", ">=", "<=", ">", "<", "+", "-", "*", "/"];

/// A series that an expression reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Selector {
    pub(crate) name: String,
    /// Label, operator and value.
    pub(crate) matchers: Vec<(String, String, String)>,
}

/// What an expression names.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(crate) selectors: Vec<Selector>,
    /// The labels by which is grouped.
    pub(crate) groups: BTreeSet<String>,
}

/// Parses an expression.
pub(crate) fn parse(text: &str) -> Result<Names, String> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0, names: Names::default() };
    parser.expression()?;
    match parser.peek() {
        None => Ok(parser.names),
        Some(rest) => Err(format!("{rest:?} follows the expression")),
    }
}

fn tokens(text: &str) -> Result<Vec<String>, String> {
    let (mut tokens, mut rest) = (Vec::new(), text.trim_start());
    while let Some(first) = rest.chars().next() {
        let length = if first == '"' {
            rest[1..].find('"').ok_or("a text does not end")? + 2
        } else if first.is_ascii_alphanumeric() || first == '_' {
            rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_' && letter != '.')
                .unwrap_or(rest.len())
        } else if ["==", "!=", ">=", "<=", "=~", "!~"].iter().any(|operator| rest.starts_with(operator)) {
            2
        } else if "(){}[],=<>+-*/".contains(first) {
            1
        } else {
            return Err(format!("{first:?} is not known"));
        };
        tokens.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

struct Parser {
    tokens: Vec<String>,
    at: usize,
    names: Names,
}

impl Parser {
    fn peek(&self) -> Option<&str> {
        self.tokens.get(self.at).map(String::as_str)
    }

    fn next(&mut self) -> Result<String, String> {
        let token = self.tokens.get(self.at).cloned().ok_or("the expression ends too early")?;
        self.at += 1;
        Ok(token)
    }

    fn expect(&mut self, wanted: &str) -> Result<(), String> {
        let found = self.next()?;
        if found == wanted { Ok(()) } else { Err(format!("{found:?} in place of {wanted:?}")) }
    }

    /// Whether the next token is this one; it is taken then.
    fn accept(&mut self, wanted: &str) -> bool {
        let is_next = self.peek() == Some(wanted);
        self.at += usize::from(is_next);
        is_next
    }

    fn expression(&mut self) -> Result<(), String> {
        self.accept("-");
        self.operand()?;
        while self.peek().is_some_and(|token| OPERATORS.contains(&token)) {
            self.at += 1;
            self.operand()?;
        }
        Ok(())
    }

    fn operand(&mut self) -> Result<(), String> {
        let token = self.next()?;
        if token == "(" {
            self.expression()?;
            return self.expect(")");
        }
        if token.starts_with(|first: char| first.is_ascii_digit()) {
            return token.parse::<f64>().map(drop).map_err(|error| format!("{token}: {error}"));
        }
        if AGGREGATIONS.contains(&token.as_str()) {
            if self.accept("by") || self.accept("without") {
                self.groups()?;
            }
            return self.arguments();
        }
        if OF_SPANS.contains(&token.as_str()) {
            self.expect("(")?;
            self.selector()?;
            self.span()?;
            return self.expect(")");
        }
        if FUNCTIONS.contains(&token.as_str()) {
            return self.arguments();
        }
        self.at -= 1;
        self.selector()
    }

    fn arguments(&mut self) -> Result<(), String> {
        self.expect("(")?;
        if self.accept(")") {
            return Ok(());
        }
        self.expression()?;
        while self.accept(",") {
            self.expression()?;
        }
        self.expect(")")
    }

    fn groups(&mut self) -> Result<(), String> {
        self.expect("(")?;
        loop {
            let label = self.next()?;
            self.names.groups.insert(label);
            if !self.accept(",") {
                return self.expect(")");
            }
        }
    }

    fn span(&mut self) -> Result<(), String> {
        self.expect("[")?;
        let span = self.next()?;
        let (number, unit) = span.split_at(span.len().saturating_sub(1));
        if number.parse::<u32>().is_err() || !["s", "m", "h", "d"].contains(&unit) {
            return Err(format!("{span:?} is not a span"));
        }
        self.expect("]")
    }

    fn selector(&mut self) -> Result<(), String> {
        let name = self.next()?;
        if !name.starts_with(|first: char| first.is_ascii_lowercase()) {
            return Err(format!("{name:?} is not a series"));
        }
        if self.peek() == Some("(") {
            return Err(format!("the function {name} is not known"));
        }
        let mut matchers = Vec::new();
        if self.accept("{") {
            while !self.accept("}") {
                let (label, operator, value) = (self.next()?, self.next()?, self.next()?);
                if !["=", "!=", "=~", "!~"].contains(&operator.as_str()) || !value.starts_with('"') {
                    return Err(format!("{label}{operator}{value} is not a matcher"));
                }
                matchers.push((label, operator, value.trim_matches('"').to_owned()));
                if !self.accept(",") && self.peek() != Some("}") {
                    return Err("a comma is missing between matchers".to_owned());
                }
            }
        }
        self.names.selectors.push(Selector { name, matchers });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_gives_its_series_and_groups() {
        let names =
            parse(r#"histogram_quantile(0.9, sum by (le) (rate(a_bucket{b="c",d!~"e|f"}[5m]))) > 2 * 3"#).unwrap();
        let matchers =
            [("b", "=", "c"), ("d", "!~", "e|f")].map(|(a, b, c)| (a.to_owned(), b.to_owned(), c.to_owned()));
        assert_eq!(names.selectors, [Selector { name: "a_bucket".to_owned(), matchers: matchers.to_vec() }]);
        assert_eq!(names.groups, BTreeSet::from(["le".to_owned()]));
    }

    #[test]
    fn an_expression_that_prometheus_rejects_is_an_error() {
        for wrong in [
            "",
            "rate(a)",
            "rate(a[5])",
            "a{b=c}",
            "a{b=\"c\"",
            "sum by le (a)",
            "a b",
            "a >",
            "unknown(a)",
            "(a",
            "a[5m]",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
