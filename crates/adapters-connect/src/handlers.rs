//! The handlers: a request becomes a command, the command an operation, the answer a message. Nothing is decided here.

/// Implements methods of the service by functions of the record's module. Rust wants the implementation of a trait in one file.
macro_rules! handled {
    ($($method:ident($request:ident) -> $answer:ident,)+) => {$(
        async fn $method(
            &self,
            context: RequestContext,
            request: ServiceRequest<'_, wire::$request>,
        ) -> ServiceResult<wire::$answer> {
            $method(&self.0, &context, request).await
        }
    )+};
}

#[expect(
    refining_impl_trait_internal,
    reason = "the traits are generated; naming the answer keeps the signatures readable"
)]
mod accounts;
#[expect(
    refining_impl_trait_internal,
    reason = "the traits are generated; naming the answer keeps the signatures readable"
)]
mod alerts;
#[expect(
    refining_impl_trait_internal,
    reason = "the traits are generated; naming the answer keeps the signatures readable"
)]
mod contracts;
#[expect(
    refining_impl_trait_internal,
    reason = "the traits are generated; naming the answer keeps the signatures readable"
)]
mod events;
#[expect(
    refining_impl_trait_internal,
    reason = "the traits are generated; naming the answer keeps the signatures readable"
)]
mod markets;
mod request;
#[expect(
    refining_impl_trait_internal,
    reason = "the traits are generated; naming the answer keeps the signatures readable"
)]
mod trading;

pub(crate) use accounts::AccountsHandlers;
pub(crate) use alerts::AlertsHandlers;
pub(crate) use contracts::ContractsHandlers;
pub(crate) use events::EventsHandlers;
pub(crate) use markets::MarketsHandlers;
#[cfg(test)]
pub(crate) use request::SESSION_ANSWERS;
pub(crate) use trading::TradingHandlers;
