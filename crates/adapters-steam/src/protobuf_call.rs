//! Calls of methods whose request and answer are protobuf: the question that carries a request, and the answer with its result.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use prost::Message;
use tradepost_adapters_outside::{Question, Route, ServiceAnswer};

use crate::eresult::{self, EResult};

/// The field of a form, and of the query of a `GET`, that holds the request.
pub(crate) const FIELD: &str = "input_protobuf_encoded";
const FORM: &str = "application/x-www-form-urlencoded";
const OK: u16 = 200;
const UNAUTHORIZED: u16 = 401;

/// Why an answer holds no message of its method. No text of it holds a part of the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NoMessage {
    /// The call is of an account that is not signed in.
    SignedOut,
    /// The method answers with another result than OK.
    Result(EResult),
    /// The answer is not one of the method.
    Unusable(String),
}

/// Returns a request as the text that [`FIELD`] holds.
pub(crate) fn encoded(request: &impl Message) -> String {
    STANDARD.encode(request.encode_to_vec())
}

/// Returns the question of a method that is called with `GET`. Its request is in the query.
pub(crate) const fn get<'a>(route: Route, query: &'a [(&'a str, &'a str)]) -> Question<'a> {
    let mut question = Question::of(route, query);
    question.heard = eresult::HEARD;
    question
}

/// Returns the question of a method that is called with `POST`. Its request is in a form, where no log of addresses has it.
pub(crate) fn post<'a>(route: Route, request: &impl Message, query: &'a [(&'a str, &'a str)]) -> Question<'a> {
    let headers = vec![("content-type", FORM.to_owned())];
    Question { headers, body: form(request), heard: eresult::HEARD, ..Question::of(route, query) }
}

fn form(request: &impl Message) -> Vec<u8> {
    format!("{FIELD}={}", utf8_percent_encode(&encoded(request), NON_ALPHANUMERIC)).into_bytes()
}

/// Reads the message of an answer.
pub(crate) fn message<M: Message + Default>(answer: &ServiceAnswer) -> Result<M, NoMessage> {
    match answer.status {
        OK => {}
        UNAUTHORIZED => return Err(NoMessage::SignedOut),
        status => return Err(NoMessage::Unusable(format!("it answered {status}"))),
    }
    match EResult::of(answer) {
        Some(EResult::OK) => M::decode(answer.body.as_slice())
            .map_err(|_| NoMessage::Unusable("its answer is not a message of the method".to_owned())),
        Some(result) => Err(NoMessage::Result(result)),
        // Pages of maintenance are answered with 200 as well.
        None => Err(NoMessage::Unusable("its answer has no result".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use tradepost_adapters_outside::Access;

    use super::*;
    use crate::messages::{KeyAnswer, KeyRequest, PollRequest};
    use crate::routes::{BEGIN, GET_KEY};

    fn request() -> KeyRequest {
        KeyRequest { account_name: "ada".to_owned() }
    }

    fn answer(status: u16, result: Option<&str>, body: &[u8]) -> ServiceAnswer {
        let headers = result.map(|result| ("x-eresult", result.to_owned())).into_iter().collect();
        ServiceAnswer { status, headers, date: None, body: body.to_vec() }
    }

    fn read(answer: &ServiceAnswer) -> Result<u64, NoMessage> {
        message(answer).map(|key: KeyAnswer| key.timestamp)
    }

    #[test]
    fn a_posted_request_is_one_escaped_field_of_a_form() {
        let question = post(BEGIN, &request(), &[]);
        assert_eq!(question.body, b"input_protobuf_encoded=CgNhZGE%3D");
        assert_eq!(question.headers, [("content-type", FORM.to_owned())]);
        assert_eq!((question.route.access, question.heard), (Access::SignIn, ["x-eresult"].as_slice()));
    }

    #[test]
    fn a_form_escapes_every_character_of_base64_that_has_a_meaning_in_it() {
        let request = PollRequest { client_id: 0, request_id: vec![0, 0xfb, 0xef, 0xbe, 0xff] };
        assert_eq!(encoded(&request), "EgUA++++/w==");
        assert_eq!(form(&request), b"input_protobuf_encoded=EgUA%2B%2B%2B%2B%2Fw%3D%3D");
    }

    #[test]
    fn a_request_in_a_query_is_base64_alone_because_the_client_escapes_it() {
        let encoded = encoded(&request());
        let query = [(FIELD, encoded.as_str())];
        let question = get(GET_KEY, &query);
        assert_eq!((question.query, question.heard), ([(FIELD, "CgNhZGE=")].as_slice(), ["x-eresult"].as_slice()));
    }

    #[test]
    fn an_answer_is_read_if_its_result_is_ok() {
        assert_eq!(read(&answer(200, Some("1"), &[0x18, 7])), Ok(7));
        assert_eq!(read(&answer(200, Some("1"), &[])), Ok(0), "a message of nothing");
        assert_eq!(read(&answer(200, Some("1"), &[0x18, 7, 0xa0, 0x06, 1])), Ok(7), "an unknown field");
    }

    #[test]
    fn any_other_answer_says_why_there_is_no_message() {
        assert_eq!(read(&answer(200, Some("5"), &[])), Err(NoMessage::Result(EResult::INVALID_PASSWORD)));
        assert_eq!(read(&answer(401, Some("1"), &[])), Err(NoMessage::SignedOut));
        for unusable in [
            answer(502, None, b"<html>"),
            answer(302, Some("1"), &[]),
            answer(200, None, b"<html>"),
            answer(200, Some("1"), b"<html>"),
        ] {
            assert!(matches!(read(&unusable), Err(NoMessage::Unusable(_))), "{unusable:?}");
        }
    }
}
