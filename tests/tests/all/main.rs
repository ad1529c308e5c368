//! Tests of the whole, in one binary, since linking is what costs.

mod architecture;
