//! Faults of a route, by the numbers of the catalogue of faults, and when each happens.

use serde::{Deserialize, Serialize};

/// What happens in place of an answer, or to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "fault")]
pub enum Fault {
    /// 429 with `Retry-After`.
    F01 {
        /// Its seconds.
        #[serde(rename = "retryAfterSeconds")]
        retry_after_seconds: u64,
    },
    /// 429 without `Retry-After`.
    F02,
    /// An error of the service.
    F05 {
        /// The status: 500, 502, 503.
        status: u16,
    },
    /// A page of HTML with 200.
    F06,
    /// The connection is reset after this number of bytes of the answer: 0 before its head.
    F07 {
        /// The bytes.
        bytes: usize,
    },
    /// The answer begins and does not go on.
    #[serde(rename = "F08_STALL")]
    F08Stall,
    /// The answer is short on the wire and has many MiB once it is unpacked.
    #[serde(rename = "F08_HUGE")]
    F08Huge {
        /// How many.
        mib: usize,
    },
    /// The JSON ends in the middle.
    #[serde(rename = "F08_TRUNCATED")]
    F08Truncated,
    /// The answer says that it is gzip, and is not.
    #[serde(rename = "F08_WRONG_GZIP")]
    F08WrongGzip,
    /// The caller is not signed in: 401, or 302 to a page of sign-in.
    F09 {
        /// The status.
        status: u16,
    },
    /// 403.
    F10,
    /// 200 with `success: false` and a text; on a route of protocol buffers, `x-eresult: 2` and an empty message.
    F11 {
        /// The text.
        message: String,
    },
    /// Another number in `x-eresult`. A route of protocol buffers answers an empty message, and one of JSON what it would have answered.
    F12 {
        /// The number.
        eresult: u32,
    },
    /// A refusal with the status 500 and words that end with a number, as forms about trade offers have it.
    #[serde(rename = "F12_WORDS")]
    F12Words {
        /// The number.
        number: u32,
    },
    /// `{"response":{}}` without `x-eresult`: it proves nothing.
    F13,
    /// Fields, numbers and states that no one has seen before.
    F18,
    /// Numbers as texts and texts as numbers.
    F32,
    /// A filter in front of the service answers 429 without a time to a request without complete ordinary headers, whatever the pace.
    F33 {
        /// Whether it does so to every program that does not say that it is a browser.
        #[serde(rename = "wantsBrowser")]
        wants_browser: bool,
    },
    /// A required field is missing, or has another type.
    #[serde(rename = "DRIFT")]
    Drift,
    /// A page names a cursor that it has named before.
    #[serde(rename = "REPEATED_CURSOR")]
    RepeatedCursor {
        /// The cursor.
        cursor: String,
    },
    /// A page has no entries, though there are some.
    #[serde(rename = "EMPTY_PAGE")]
    EmptyPage,
    /// The request is not carried out, and then this happens in place of its answer. Every other fault happens after the act.
    #[serde(rename = "BEFORE")]
    Before {
        /// What happens.
        then: Box<Self>,
    },
    /// A sample of a card. The request is not carried out.
    #[serde(rename = "SAMPLE")]
    Sample {
        /// The card.
        card: String,
        /// Which sample.
        number: usize,
    },
}

impl Fault {
    /// The same before the request is carried out.
    #[must_use]
    pub fn before(self) -> Self {
        Self::Before { then: Box::new(self) }
    }
}

/// A fault, and when it happens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultRule {
    /// The route: method and path.
    pub route: String,
    /// At which call of the route from now on, 1 for the next.
    pub nth: u32,
    /// At how many calls in a row.
    #[serde(default = "once")]
    pub times: u32,
    /// What happens.
    #[serde(flatten)]
    pub fault: Fault,
}

const fn once() -> u32 {
    1
}

impl FaultRule {
    /// A fault of the next call of a route.
    pub fn next(route: &str, fault: Fault) -> Self {
        Self { route: route.to_owned(), nth: 1, times: 1, fault }
    }
}

/// The rules that are left.
#[derive(Debug, Default)]
pub(crate) struct Armed(Vec<FaultRule>);

impl Armed {
    pub(crate) fn set(&mut self, rules: Vec<FaultRule>) {
        self.0 = rules;
    }

    /// Counts a call of a route; the fault that happens to it.
    pub(crate) fn at_call(&mut self, route: &str) -> Option<Fault> {
        let mut happens = None;
        for rule in self.0.iter_mut().filter(|rule| rule.route == route) {
            if rule.nth > 1 {
                rule.nth -= 1;
            } else if rule.times > 0 && happens.is_none() {
                rule.times -= 1;
                happens = Some(rule.fault.clone());
            }
        }
        self.0.retain(|rule| rule.times > 0);
        happens
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_happens_at_its_calls_of_its_route_alone() {
        let mut armed = Armed::default();
        armed.set(vec![FaultRule { route: "GET /a".to_owned(), nth: 2, times: 2, fault: Fault::F06 }]);
        let happened: Vec<bool> = (0..5).map(|_| armed.at_call("GET /a").is_some()).collect();
        assert_eq!(happened, [false, true, true, false, false]);
        assert_eq!(armed.at_call("GET /b"), None);
    }

    #[test]
    fn a_rule_is_written_as_the_catalogue_names_it() {
        let json = r#"{"route":"GET /v1/items","nth":1,"fault":"F01","retryAfterSeconds":2}"#;
        let rule: FaultRule = serde_json::from_str(json).unwrap();
        assert_eq!((rule.times, rule.fault), (1, Fault::F01 { retry_after_seconds: 2 }));
        let json = r#"{"route":"POST /sent","nth":1,"fault":"BEFORE","then":{"fault":"F07","bytes":0}}"#;
        let rule: FaultRule = serde_json::from_str(json).unwrap();
        assert_eq!(rule.fault, Fault::F07 { bytes: 0 }.before());
        let json = r#"{"route":"GET /dev/apikey","nth":5,"times":1000,"fault":"F33","wantsBrowser":true}"#;
        let rule: FaultRule = serde_json::from_str(json).unwrap();
        assert_eq!(rule.fault, Fault::F33 { wants_browser: true });
    }
}
