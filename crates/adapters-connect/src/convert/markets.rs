//! Records of `markets.v1` on the wire.

mod observations;
pub(crate) mod prices;
pub(crate) mod providers;

pub(crate) use observations::{ask, observation, observed_listing, price_point, recorded, recorder, variant_name};
