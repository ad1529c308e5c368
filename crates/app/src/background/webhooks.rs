//! Following the log of status changes for webhook endpoints, and delivering what they ask for. It must not know what is in a delivery,
//! nor when which is tried again.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tradepost_operations::events::DueEndpoint;
use tradepost_operations::{OpResult, Operations};

use super::duty::Duty;
use super::serving::{Receiver, follow, serve};

impl Receiver for DueEndpoint {
    const WHAT: &'static str = "webhook deliveries";

    async fn wait(operations: &Operations) {
        operations.delivery_enqueued().await;
    }

    async fn list(operations: &Operations) -> OpResult<Vec<Self>> {
        operations.list_due_endpoints().await
    }

    async fn serve(self, operations: &Operations) -> OpResult<bool> {
        operations.deliver_due(self).await
    }
}

/// Lets endpoints follow the log until stopped.
pub(crate) async fn follow_events(operations: Arc<Operations>, stop: CancellationToken) {
    let once = |operations: Arc<Operations>| async move { operations.follow_events().await };
    follow(operations, stop, "webhooks", once).await;
}

/// Delivers what is due until stopped.
pub(crate) async fn deliver_webhooks(operations: Arc<Operations>, duty: Duty, stop: CancellationToken) {
    serve::<DueEndpoint>(operations, duty, stop).await;
}
