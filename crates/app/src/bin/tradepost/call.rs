//! `tradepost call`: one operation of a running server, as any HTTP client would call it.

use std::io::{IsTerminal as _, stdout};

use serde_json::Value;
use tradepost_operations::rules::RULES;

use crate::cli::Call;
use crate::client::{Server, ids};
use crate::failure::{Exit, Failure, Outcome};

/// Calls, and prints the answer to stdout.
pub(crate) async fn run(call: Call) -> Outcome {
    let (server, operation) = (Server::of(&call.connection)?, operation(&call.operation)?);
    let request = with_ids(call.request)?;
    if call.curl {
        anstream::println!("{}", curl(&server.address(&operation), &request, "$TRADEPOST_API_KEY"));
        return Ok(());
    }
    let body = server.send(&operation, request).await?;
    anstream::println!("{}", for_reading(&body));
    Ok(())
}

/// The curl command for the same call.
pub(crate) fn curl(url: &str, request: &str, key: &str) -> String {
    let quoted = request.replace('\'', r"'\''");
    format!(
        "curl -s {url} \\\n  -H \"Authorization: Bearer {key}\" -H \"Content-Type: application/json\" \\\n  -d '{quoted}'"
    )
}

/// The full name of an operation; the service can be left out.
fn operation(given: &str) -> Outcome<String> {
    let name = given.trim_matches('/');
    if name.contains('/') {
        return Ok(name.to_owned());
    }
    let rule = RULES.iter().find(|rule| rule.method == name).ok_or_else(|| {
        let failure = Failure::new(Exit::Usage, format!("there is no operation {name}"));
        let alike = RULES.iter().max_by(|a, b| likeness(name, a.method).total_cmp(&likeness(name, b.method)));
        alike.into_iter().fold(failure, |failure, rule| failure.with_try(format!("{}/{}", rule.service, rule.method)))
    })?;
    Ok(format!("{}/{}", rule.service, rule.method))
}

fn likeness(given: &str, method: &str) -> f64 {
    strsim::jaro_winkler(&given.to_lowercase(), &method.to_lowercase())
}

/// The request with base64 where an id is UUID text. Without any it stays as it was written.
fn with_ids(request: String) -> Outcome<String> {
    let written: Value = serde_json::from_str(&request).map_err(|error| {
        Failure::new(Exit::Usage, "the request is not JSON")
            .because(error)
            .with_try("quote it for the shell: '{\"workspaceId\":\"…\"}'")
    })?;
    let mut replaced = written.clone();
    ids::in_request(&mut replaced);
    Ok(if replaced == written { request } else { replaced.to_string() })
}

/// Indented on a terminal, as it came for programs.
fn for_reading(body: &str) -> String {
    let indented = || serde_json::to_string_pretty(&serde_json::from_str::<Value>(body).ok()?).ok();
    if stdout().is_terminal() { indented().unwrap_or_else(|| body.to_owned()) } else { body.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_service_of_an_operation_can_be_left_out() {
        assert_eq!(operation("GetPurchase").unwrap(), "contracts.v1.Contracts/GetPurchase");
        assert_eq!(operation("/other.v2.Other/Do").unwrap(), "other.v2.Other/Do");
    }

    #[test]
    fn a_mistyped_operation_is_answered_with_the_one_that_was_meant() {
        let failure = operation("getpurchas").unwrap_err().to_string();
        assert_eq!(failure, "error: there is no operation getpurchas\n  try: contracts.v1.Contracts/GetPurchase");
    }

    #[test]
    fn a_quote_in_the_request_does_not_end_the_curl_line() {
        assert!(curl("http://127.0.0.1/x", "{\"name\":\"it's\"}", "k").ends_with(r#"-d '{"name":"it'\''s"}'"#));
    }
}
