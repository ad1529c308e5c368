//! Writes the descriptor set of the interface and the macros of its services.

fn main() -> tradepost_proto_generator::Outcome {
    tradepost_proto_generator::descriptors()
}
