//! The form of a body on the wire. A reply keeps each as JSON, which is what its card describes.

use serde_json::Value;

use crate::protobuf::{self, Field};

/// The form of a body.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Form {
    Json,
    /// A message of these fields.
    Protobuf(&'static [Field]),
    /// A text, which is a page.
    Html,
}

impl Form {
    pub(super) const fn content_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Protobuf(_) => "application/octet-stream",
            Self::Html => "text/html",
        }
    }

    /// The bytes of a body. A page or a message that is null has none.
    pub(super) fn bytes(self, body: &Value) -> Vec<u8> {
        match self {
            Self::Json => body.to_string().into_bytes(),
            Self::Protobuf(fields) => protobuf::encode(body, fields),
            Self::Html => body.as_str().unwrap_or_default().as_bytes().to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::protobuf::{Kind, one};

    const FIELDS: &[Field] = &[one(1, "id", Kind::Number)];

    #[test]
    fn a_body_has_the_bytes_of_its_form() {
        assert_eq!(Form::Json.bytes(&json!({ "id": 7 })), br#"{"id":7}"#);
        assert_eq!(Form::Json.bytes(&Value::Null), b"null");
        assert_eq!(Form::Protobuf(FIELDS).bytes(&json!({ "id": 7 })), [8, 7]);
        assert_eq!(Form::Html.bytes(&json!("<p>")), b"<p>");
        for form in [Form::Protobuf(FIELDS), Form::Html] {
            assert!(form.bytes(&Value::Null).is_empty());
        }
    }
}
