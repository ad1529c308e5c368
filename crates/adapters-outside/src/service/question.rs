//! A question to a service: its route, and what is sent with it.

use std::borrow::Cow;

/// What the path of a route has in place of the record of the service that it is about.
const ID: &str = "{id}";

/// What a route does at the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// It reads.
    Read,
    /// It begins, renews or ends a session, by which the service is read. Nothing else changes there.
    SignIn,
    /// It changes something else. It is called with a [`WritePermission`] alone.
    Write,
}

/// The permission of a person for calls that change something at a service. Without it no such call is made.
#[derive(Debug)]
pub struct WritePermission(());

impl WritePermission {
    /// The permission, where a person has given it. The caller looks that up for each call and keeps none: a person can withdraw it.
    pub const fn where_given(is_given: bool) -> Option<Self> {
        if is_given { Some(Self(())) } else { None }
    }
}

/// The method of a route. Some services take a long question as a body, so that a `POST` can read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// `GET`.
    Get,
    /// `POST`.
    Post,
}

/// A route of a service, as its driver declares it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Route {
    /// The method.
    pub method: Method,
    /// The path below the address of the service. One with `{id}` needs the id of a record.
    pub path: &'static str,
    /// What it does.
    pub access: Access,
}

impl Route {
    /// A route that reads with `GET`.
    pub const fn get(path: &'static str) -> Self {
        Self { method: Method::Get, path, access: Access::Read }
    }

    /// A route that reads with `POST`.
    pub const fn read_by_post(path: &'static str) -> Self {
        Self { method: Method::Post, path, access: Access::Read }
    }

    /// A route that begins, renews or ends a session.
    pub const fn sign_in(path: &'static str) -> Self {
        Self { method: Method::Post, path, access: Access::SignIn }
    }

    /// A route that changes something.
    pub const fn write(path: &'static str) -> Self {
        Self { method: Method::Post, path, access: Access::Write }
    }

    /// A route that changes something by `GET`, as a few services have it.
    pub const fn write_by_get(path: &'static str) -> Self {
        Self { method: Method::Get, path, access: Access::Write }
    }
}

/// A question. It has no `Debug`: headers and body may hold a key.
pub struct Question<'a> {
    /// The route.
    pub route: Route,
    /// The id in the path of a route that is about one record; `None` for all others.
    pub id: Option<&'a str>,
    /// The query. A secret belongs in a header, unless the service takes it here alone: the address of a call is in no log and in no error.
    pub query: &'a [(&'a str, &'a str)],
    /// Headers in addition to those of every call. None of them is written to a log.
    pub headers: Vec<(&'static str, String)>,
    /// The body of a `POST`.
    pub body: Vec<u8>,
    /// The names of the headers of the answer that the driver reads.
    pub heard: &'static [&'static str],
}

impl<'a> Question<'a> {
    /// A question that is its route and query alone.
    pub const fn of(route: Route, query: &'a [(&'a str, &'a str)]) -> Self {
        Self { route, id: None, query, headers: Vec::new(), body: Vec::new(), heard: &[] }
    }

    /// Returns the path, with the id in its place. `None` if the id is missing, is one too many, or could be more than one segment.
    pub(super) fn path(&self) -> Option<Cow<'static, str>> {
        match (self.route.path.split_once(ID), self.id) {
            (None, None) => Some(Cow::Borrowed(self.route.path)),
            (Some((above, below)), Some(id)) if is_id(id) => Some(Cow::Owned(format!("{above}{id}{below}"))),
            (Some(_), _) | (None, Some(_)) => None,
        }
    }
}

/// Whether a text is an id as services number records: characters that mean nothing else in a path, so that none is escaped.
fn is_id(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}
