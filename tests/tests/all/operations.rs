//! Every operation over Connect JSON: the whole answer when it succeeds, and each way in which it is refused.

mod audited;
mod complete;
mod golden;
mod late_refusals;
mod refusals;

pub(crate) use golden::assert_golden;
