//! Imports whose time is over.

use time::Duration;

use super::imports::{Importing, account};
use crate::harness::Fate;

#[tokio::test]
async fn an_import_that_cannot_be_expired_keeps_no_other_from_it() {
    let on = Importing::open().await;
    on.create(vec![account(1)]).await;
    on.create(vec![account(2)]).await;
    on.staff.world.advance(Duration::hours(1));
    let world = on.staff.world.scripted([Fate::broken()]);
    world.operations.sweep().await.unwrap_err();
    assert_eq!(world.operations.sweep().await.unwrap().imports, 1);
}
