//! Macros that make tests of promises.

/// The common promises of every list of a workspace's records.
#[doc(hidden)]
#[macro_export]
macro_rules! paging_promises {
    ($fixture:expr; $($list:ident),+) => {
        $crate::store_promises! { $fixture; $($list:
            an_empty_list_is_one_empty_page,
            every_record_is_on_exactly_one_page,
            what_is_made_while_paging_disturbs_nothing,
            a_page_starts_where_no_record_is;
        )+ }
    };
}

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
