//! Page sizes and cursors.
//!
//! A cursor names the place from which a list continues and carries an authenticator over that place, the list, its workspace and filters:
//! one of another list, workspace or filter is rejected like a forged one.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{Id, UserId};
use tradepost_domain::time::Timestamp;
use tradepost_ports::store::{Page, PageRequest};

use crate::{OpError, OpResult, Operations, PageOf, Reason, fields};

const DEFAULT_LIMIT: u32 = 50;
const LARGEST_LIMIT: u32 = 200;
const VERSION: u8 = 1;

/// The list of a page, its workspace and its filters.
pub(crate) struct ListKey(Vec<u8>);

impl ListKey {
    /// Returns the key of a list without filters.
    pub(crate) fn of(list: &str, scope: WorkspaceScope) -> Self {
        let mut key = scope.workspace_id().to_bytes().to_vec();
        key.extend_from_slice(list.as_bytes());
        Self(key)
    }

    /// Returns the key of a user's own list.
    pub(crate) fn of_user(list: &str, user_id: UserId) -> Self {
        let mut key = user_id.to_bytes().to_vec();
        key.extend_from_slice(list.as_bytes());
        Self(key)
    }

    /// Adds a filter by id.
    pub(crate) fn and_id<K>(self, filter: Option<Id<K>>) -> Self {
        self.and(filter.map(Id::to_bytes).as_ref().map(<[u8; 16]>::as_slice))
    }

    /// Adds a filter by the stored number of a status or kind.
    pub(crate) fn and_code(self, filter: Option<i16>) -> Self {
        self.and(filter.map(i16::to_be_bytes).as_ref().map(<[u8; 2]>::as_slice))
    }

    /// Adds a filter by the stored numbers of statuses or kinds; an empty one is none.
    pub(crate) fn and_codes(mut self, filter: &[i16]) -> Self {
        // The number of codes says where the next filter begins.
        self.0.extend_from_slice(&filter.len().to_be_bytes());
        for code in filter {
            self.0.extend_from_slice(&code.to_be_bytes());
        }
        self
    }

    /// Adds a filter by text.
    pub(crate) fn and_text(self, filter: Option<&str>) -> Self {
        self.and(filter.map(str::as_bytes))
    }

    /// Adds a filter by time.
    pub(crate) fn and_time(self, filter: Option<Timestamp>) -> Self {
        self.and(filter.map(|at| at.as_micros().to_be_bytes()).as_ref().map(<[u8; 8]>::as_slice))
    }

    /// Adds a filter; an absent one counts, too.
    pub(crate) fn and(mut self, filter: Option<&[u8]>) -> Self {
        self.0.push(0);
        match filter {
            Some(bytes) => {
                self.0.push(1);
                self.0.extend_from_slice(bytes);
            }
            None => self.0.push(0),
        }
        self
    }
}

/// Returns the page size for a limit as given.
pub(crate) fn page_size(limit: i32) -> OpResult<u32> {
    fields::limit(limit, DEFAULT_LIMIT, LARGEST_LIMIT)
}

impl Operations {
    /// Returns the requested page of ids.
    pub(crate) fn page_request<K>(&self, key: &ListKey, limit: i32, cursor: &str) -> OpResult<PageRequest<K>> {
        let before = self.read_cursor(key, cursor)?.map(Id::from_bytes);
        Ok(PageRequest { before, limit: page_size(limit)? })
    }

    /// Returns the page of the response.
    pub(crate) fn page<K>(&self, key: &ListKey, page: Page<K>) -> PageOf<Id<K>> {
        let next_cursor = page.next().map(|id| self.write_cursor(key, id.to_bytes())).unwrap_or_default();
        PageOf { entries: page.ids, next_cursor }
    }

    /// Returns the cursor of the place after `position`.
    pub(crate) fn write_cursor(&self, key: &ListKey, position: [u8; 16]) -> String {
        let mut cursor = vec![VERSION];
        cursor.extend_from_slice(&position);
        cursor.extend_from_slice(&self.ports.secrets.cursor_mac(&signed(key, position)));
        URL_SAFE_NO_PAD.encode(cursor)
    }

    /// Returns the place that a cursor encodes; `None` for the empty cursor of the first page.
    pub(crate) fn read_cursor(&self, key: &ListKey, cursor: &str) -> OpResult<Option<[u8; 16]>> {
        if cursor.is_empty() {
            return Ok(None);
        }
        let refused = || OpError::invalid_argument(Reason::InvalidCursor, "cursor is not one that this list gave out");
        let bytes = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| refused())?;
        let (&[version], rest) = bytes.split_first_chunk::<1>().ok_or_else(refused)?;
        let (position, mac) = rest.split_first_chunk::<16>().ok_or_else(refused)?;
        let mac = mac.try_into().map_err(|_| refused())?;
        if version == VERSION && self.ports.secrets.is_cursor_mac(&signed(key, *position), mac) {
            Ok(Some(*position))
        } else {
            Err(refused())
        }
    }
}

/// Returns the bytes that a cursor's authenticator covers.
fn signed(key: &ListKey, position: [u8; 16]) -> Vec<u8> {
    [[VERSION].as_slice(), &position, &key.0].concat()
}
