//! The cases of marketplaces, price sources and providers.

pub(super) mod observations;
pub(super) mod prices;
pub(super) mod providers;
