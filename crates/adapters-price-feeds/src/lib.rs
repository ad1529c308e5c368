//! Sources of real prices: what each answers, as quotes of variants. A source is read alone; nothing is written to it.
//!
//! It must not know which workspace reads which source, and makes no call but through the client of `adapters-outside`.
#![deny(missing_docs)]

mod decimal;
mod skinport;

pub use skinport::{ADDRESS, NAME, Skinport, SkinportFeed, SkinportPrices, driver, limits};
