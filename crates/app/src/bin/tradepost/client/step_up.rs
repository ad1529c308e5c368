//! Step-up: asks for a second factor where an operation needs one, and confirms it for the key.

use std::io::{IsTerminal as _, stderr, stdin};

use serde_json::{Value, json};

use super::{Server, view};
use crate::failure::{Exit, Failure, Outcome};

const BEGIN: &str = "accounts.v1.Accounts/BeginStepUp";
const COMPLETE: &str = "accounts.v1.Accounts/CompleteStepUp";
/// The server ends a challenge after five codes.
const TRIES: u32 = 5;

impl Server {
    /// Confirms a second factor for the key, by the code that the command was given or one that the user enters.
    pub(super) async fn step_up(&self, operation: &str) -> Outcome {
        let given = self.code.lock().ok().and_then(|mut code| code.take());
        let is_attended = stdin().is_terminal() && stderr().is_terminal();
        if given.is_none() && !is_attended {
            return Err(unattended(operation));
        }
        let challenge = self.ask_plainly(BEGIN, &json!({})).await?;
        let methods = view::many(&challenge, "allowedMethods");
        if let Some(code) = given {
            return self.complete(&challenge, methods, &code).await;
        }
        let question = question(methods).ok_or_else(passkeys_only)?;
        for left in (0..TRIES).rev() {
            anstream::eprint!("{question}: ");
            let mut code = String::new();
            stdin()
                .read_line(&mut code)
                .map_err(|error| Failure::new(Exit::Failed, "cannot read the code").because(error))?;
            if code.trim().is_empty() {
                return Err(Failure::new(Exit::Denied, format!("{} needs a second factor", method_of(operation)))
                    .because("no code was entered")
                    .with_try("run the command again, and enter the code"));
            }
            match self.complete(&challenge, methods, code.trim()).await {
                Err(failure) if left > 0 && failure.has_reason("CODE_MISMATCH") => {
                    anstream::eprintln!("The code is not right.");
                }
                done => return done,
            }
        }
        Ok(())
    }

    async fn complete(&self, challenge: &Value, methods: &[Value], code: &str) -> Outcome {
        let method = method(methods, code).ok_or_else(passkeys_only)?;
        let answer = json!({ "challengeId": challenge["challengeId"], "method": method, "code": code });
        self.ask_plainly(COMPLETE, &answer).await.map(drop)
    }
}

fn has(methods: &[Value], method: &str) -> bool {
    methods.iter().any(|known| known.as_str() == Some(&format!("TWO_FACTOR_METHOD_{method}")))
}

/// What a user is asked for.
fn question(methods: &[Value]) -> Option<&'static str> {
    if has(methods, "TOTP") {
        Some("Code of the authenticator app, or a recovery code")
    } else if has(methods, "EMAIL") {
        Some("Code that was sent to your e-mail address")
    } else {
        None
    }
}

/// The method that a code belongs to: an app has codes of 6 digits, and a recovery code is longer.
fn method(methods: &[Value], code: &str) -> Option<&'static str> {
    let is_short = code.len() <= 8;
    match (has(methods, "TOTP"), has(methods, "RECOVERY_CODE"), has(methods, "EMAIL")) {
        (_, true, _) if !is_short => Some("TWO_FACTOR_METHOD_RECOVERY_CODE"),
        (true, ..) => Some("TWO_FACTOR_METHOD_TOTP"),
        (_, _, true) => Some("TWO_FACTOR_METHOD_EMAIL"),
        _ => None,
    }
}

fn unattended(operation: &str) -> Failure {
    Failure::new(Exit::Denied, format!("{} needs a second factor", method_of(operation)))
        .because("no second factor was confirmed with this key in the last 10 min, and there is no terminal to ask on")
        .with_try("give a code of the authenticator app with --totp-code CODE or TRADEPOST_TOTP_CODE")
        .with_try("or run the command on a terminal")
}

fn method_of(operation: &str) -> &str {
    operation.rsplit('/').next().unwrap_or(operation)
}

fn passkeys_only() -> Failure {
    Failure::new(Exit::Denied, "the second factor of this user cannot be entered on a terminal")
        .because("the user has neither an authenticator app nor a code by e-mail")
        .with_try("add an authenticator app to the user, or use a browser")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_belongs_to_the_method_that_is_allowed() {
        let app = [json!("TWO_FACTOR_METHOD_TOTP"), json!("TWO_FACTOR_METHOD_RECOVERY_CODE")];
        assert_eq!(method(&app, "123456"), Some("TWO_FACTOR_METHOD_TOTP"));
        assert_eq!(method(&app, "abcd-efgh-ijkl-mnop-qrst-uvwx"), Some("TWO_FACTOR_METHOD_RECOVERY_CODE"));
        assert_eq!(method(&[json!("TWO_FACTOR_METHOD_EMAIL")], "12345678"), Some("TWO_FACTOR_METHOD_EMAIL"));
        assert_eq!(method(&[json!("TWO_FACTOR_METHOD_PASSKEY")], "123456"), None);
    }
}
