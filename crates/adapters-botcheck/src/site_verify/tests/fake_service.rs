//! A `siteverify` service on the loopback that answers each question as a test prepared it. It must not judge what it is asked.

use std::collections::{BTreeMap, VecDeque};
use std::future::pending;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use axum::{Form, Router};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// What the service does on one question.
#[derive(Debug, Clone)]
pub(super) enum Manner {
    /// Answers with a status and a body.
    Answer(u16, String),
    /// Points elsewhere, keeping the method.
    Redirect(String),
    /// Never answers.
    Silence,
}

type Question = BTreeMap<String, String>;

#[derive(Default)]
struct Conversation {
    manners: Mutex<VecDeque<Manner>>,
    questions: Mutex<Vec<Question>>,
}

pub(super) struct FakeService {
    address: SocketAddr,
    conversation: Arc<Conversation>,
    serving: JoinHandle<()>,
}

impl FakeService {
    /// A service that listens already, with one manner for each question to come.
    pub(super) async fn start<const N: usize>(manners: [Manner; N]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let conversation = Arc::new(Conversation { manners: Mutex::new(manners.into()), ..Conversation::default() });
        let routes = Router::new().route("/siteverify", post(answer)).with_state(Arc::clone(&conversation));
        let serving = tokio::spawn(async move { axum::serve(listener, routes).await.unwrap() });
        Self { address, conversation, serving }
    }

    /// The same service after it stopped listening.
    pub(super) async fn stop(mut self) -> Self {
        self.serving.abort();
        assert!((&mut self.serving).await.unwrap_err().is_cancelled());
        self
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}/siteverify", self.address)
    }

    /// Every question that came.
    pub(super) fn questions(&self) -> Vec<Question> {
        self.conversation.questions.lock().unwrap().clone()
    }
}

impl Drop for FakeService {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn answer(State(conversation): State<Arc<Conversation>>, Form(question): Form<Question>) -> Response {
    conversation.questions.lock().unwrap().push(question);
    let manner = conversation.manners.lock().unwrap().pop_front();
    match manner.expect("no more questions than manners") {
        Manner::Answer(status, body) => (StatusCode::from_u16(status).unwrap(), body).into_response(),
        Manner::Redirect(to) => (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, to)]).into_response(),
        Manner::Silence => pending().await,
    }
}
