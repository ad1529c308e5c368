//! The pages behind the links in mails. They read the token from behind the #, which no server sees, and hand it to the
//! operation when the person presses the button: mail scanners follow links, but press nothing. One asks for more than that: a
//! new password.

use aws_lc_rs::digest::{SHA256, digest};
use axum::Router;
use axum::http::HeaderName;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::response::{Html, Redirect};
use axum::routing::get;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// What one page says and calls.
struct Page {
    path: &'static str,
    operation: &'static str,
    title: &'static str,
    explanation: &'static str,
    fields: &'static [Field],
    button: &'static str,
    /// What is said when it is done, with fields of the answer in braces.
    done: &'static str,
}

/// What a page asks for.
struct Field {
    /// The field of the operation's request.
    name: &'static str,
    label: &'static str,
    attributes: &'static str,
}

impl Field {
    fn html(&self) -> String {
        let Self { name, label, attributes } = self;
        format!("<p><label>{label}<br><input name=\"{name}\" {attributes}></label></p>")
    }
}

const INVITATION: &str = "/email/invitation";
/// The console's page on which a person accepts or declines an invitation. Browsers keep what is behind the # over a redirect.
const ANSWERED_AT: &str = "/invitations";

const PAGES: [Page; 5] = [
    Page {
        path: "/email/verify",
        operation: "VerifyEmail",
        title: "Confirm your e-mail address",
        explanation: "From then on this address belongs to your tradepost account. If you did not enter it, close this page.",
        fields: &[Field {
            name: "password",
            label: "The password that you chose with this address",
            attributes: "type=\"password\" autocomplete=\"current-password\" required",
        }],
        button: "Confirm address",
        done: "The address is confirmed. You can close this page.",
    },
    Page {
        path: "/email/confirm",
        operation: "ConfirmEmailChange",
        title: "Confirm your new e-mail address",
        explanation: "From then on your tradepost account uses this address and no longer the old one. If you did not ask for that, close this page.",
        fields: &[Field {
            name: "password",
            label: "The password of your account",
            attributes: "type=\"password\" autocomplete=\"current-password\" required",
        }],
        button: "Use this address",
        done: "Your account uses the new address now. You can close this page.",
    },
    Page {
        path: INVITATION,
        operation: "GetInvitation",
        title: "You are invited to a workspace",
        explanation: "See who invites you, and to what. That alone accepts nothing.",
        fields: &[],
        button: "Show the invitation",
        done: "{email} is invited to the workspace {workspaceName} by {inviterName}. To accept, sign in with this address and call \
               AcceptMembership with the membership {membershipId}, until {expiresAt}.",
    },
    Page {
        path: "/email/reset",
        operation: "ResetPassword",
        title: "Set a new password",
        explanation: "You are signed out everywhere then. API keys go on working.",
        fields: &[
            Field {
                name: "newPassword",
                label: "New password, at least 15 characters",
                attributes: "type=\"password\" autocomplete=\"new-password\" required",
            },
            Field {
                name: "code",
                label: "Code of your authenticator app or a recovery code, if you have an app",
                attributes: "autocomplete=\"one-time-code\"",
            },
        ],
        button: "Set password",
        done: "The password is set. You can close this page and sign in.",
    },
    Page {
        path: "/email/revert",
        operation: "RevertEmailChange",
        title: "Keep your e-mail address",
        explanation: "Someone asked to move your tradepost account to another address. If that was not you, keep yours.",
        fields: &[],
        button: "Keep my address",
        done: "Your account keeps this address. Change your password now: another person knows it.",
    },
];

const SCRIPT: &str = include_str!("email/page.js");
const STYLE: &str = include_str!("email/page.css");

/// The pages.
pub(crate) fn pages() -> Router {
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'",
        source_hash(SCRIPT),
        source_hash(STYLE)
    );
    PAGES.iter().fold(Router::new(), |router, page| {
        if cfg!(feature = "console") && page.path == INVITATION {
            return router.route(page.path, get(async || Redirect::to(ANSWERED_AT)));
        }
        let (html, policy) = (page.html(), policy.clone());
        router.route(page.path, get(async move || (headers(policy), Html(html))))
    })
}

fn headers(policy: String) -> [(HeaderName, String); 4] {
    [
        (CONTENT_SECURITY_POLICY, policy),
        (REFERRER_POLICY, "no-referrer".to_owned()),
        (X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
        (CACHE_CONTROL, "no-store".to_owned()),
    ]
}

/// An inline source as a content security policy names it.
fn source_hash(source: &str) -> String {
    format!("sha256-{}", STANDARD.encode(digest(&SHA256, source.as_bytes())))
}

impl Page {
    fn html(&self) -> String {
        include_str!("email/page.html")
            .replace("{{style}}", STYLE)
            .replace("{{script}}", SCRIPT)
            .replace("{{operation}}", self.operation)
            .replace("{{title}}", self.title)
            .replace("{{explanation}}", self.explanation)
            .replace("{{fields}}", &self.fields.iter().map(Field::html).collect::<String>())
            .replace("{{button}}", self.button)
            .replace("{{done}}", self.done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_blank_of_a_page_is_filled() {
        for page in &PAGES {
            let html = page.html();
            assert!(
                !html.contains("{{") && html.contains(page.title) && html.contains(page.operation),
                "{}",
                page.path
            );
        }
    }

    #[test]
    fn a_page_loads_nothing_from_elsewhere() {
        for page in &PAGES {
            let html = page.html();
            assert!(!html.contains("http://") && !html.contains("https://") && !html.contains("src="), "{}", page.path);
        }
    }

    /// The hash of the empty text is in every table of SHA-256 values.
    #[test]
    fn a_source_is_named_by_its_sha_256() {
        assert_eq!(source_hash(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    }
}
