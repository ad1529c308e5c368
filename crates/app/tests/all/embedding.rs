//! The library as an embedder uses it: the example of the documentation is run.

#[path = "../../examples/embed.rs"]
#[expect(dead_code, reason = "the example's own `main` runs only as a program")]
mod example;

#[tokio::test]
async fn the_example_answers_over_http_and_ends() {
    let answer: serde_json::Value = serde_json::from_str(&example::embed().await.unwrap()).unwrap();
    assert_eq!(answer["workspace"]["name"], "Embedded");
}
