//! Generates the package.

fn main() -> tradepost_proto_generator::Outcome {
    tradepost_proto_generator::package("alerts", &["contracts"])
}
