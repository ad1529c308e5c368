//! The methods of both clients by the names of the operations. The build script generates them from the protos; both generators of
//! clients agree on the names.

use std::pin::Pin;

include!(concat!(env!("OUT_DIR"), "/every_operation.rs"));

/// Keeps one call of [`by_name!`] off the stack: the calls of all operations in one function are more than a thread's stack holds.
pub(super) fn on_the_heap<F: Future>(call: impl FnOnce() -> F) -> Pin<Box<F>> {
    Box::pin(call())
}
