//! The macro that makes tests of promises.

#[doc(hidden)]
#[macro_export]
macro_rules! store_promises {
    ($fixture:expr; $($module:ident $(in $area:ident)?: $($promise:ident),+;)+) => {$(
        mod $module {
            use super::*;
            use $crate::store_contract$(::$area)?::$module as promises;
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $promise() {
                    let fixture = $fixture;
                    promises::$promise($crate::store_contract::Fixture::store(&fixture)).await;
                }
            )+
        }
    )+};
}
