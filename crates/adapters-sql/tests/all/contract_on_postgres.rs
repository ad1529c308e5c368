//! The contract of storage on PostgreSQL; and what it asks for is of one home at a time.

use crate::homes::judge;
use crate::support::{Watched, postgres};

async fn watched() -> Watched {
    Watched::on(postgres().await, judge).await
}

tradepost_testkit::store_contract!(watched().await);
