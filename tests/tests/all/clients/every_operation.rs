//! The methods of both clients by the names of the operations. The build script generates them from the protos; both generators of
//! clients agree on the names.

include!(concat!(env!("OUT_DIR"), "/every_operation.rs"));
