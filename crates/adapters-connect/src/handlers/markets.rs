//! `markets.v1.Markets`.

mod observations;
mod prices;
mod providers;

use std::sync::Arc;

use connectrpc::{RequestContext, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;

use tradepost_proto::markets::v1 as wire;

/// The service.
pub(crate) struct MarketsHandlers(pub(crate) Arc<Operations>);

impl wire::Markets for MarketsHandlers {
    handled! {
        observations:
            record_market_observations(RecordMarketObservationsRequest) -> RecordMarketObservationsResponse,
            list_market_observations(ListMarketObservationsRequest) -> ListMarketObservationsResponse,
            get_market_observation(GetMarketObservationRequest) -> GetMarketObservationResponse,
            get_market_observations(GetMarketObservationsRequest) -> GetMarketObservationsResponse,
            count_market_observations(CountMarketObservationsRequest) -> CountMarketObservationsResponse,
            get_order_book(GetOrderBookRequest) -> GetOrderBookResponse,
            list_price_history(ListPriceHistoryRequest) -> ListPriceHistoryResponse;
        prices:
            get_price(GetPriceRequest) -> GetPriceResponse,
            get_prices(GetPricesRequest) -> GetPricesResponse,
            set_price_override(SetPriceOverrideRequest) -> SetPriceOverrideResponse,
            list_price_overrides(ListPriceOverridesRequest) -> ListPriceOverridesResponse,
            delete_price_override(DeletePriceOverrideRequest) -> DeletePriceOverrideResponse,
            get_pricing_rules(GetPricingRulesRequest) -> GetPricingRulesResponse,
            update_pricing_rules(UpdatePricingRulesRequest) -> UpdatePricingRulesResponse;
        providers:
            list_providers(ListProvidersRequest) -> ListProvidersResponse,
            get_provider(GetProviderRequest) -> GetProviderResponse,
            get_providers(GetProvidersRequest) -> GetProvidersResponse,
            create_provider(CreateProviderRequest) -> CreateProviderResponse,
            update_provider(UpdateProviderRequest) -> UpdateProviderResponse,
            enable_provider(EnableProviderRequest) -> EnableProviderResponse,
            disable_provider(DisableProviderRequest) -> DisableProviderResponse,
            delete_provider(DeleteProviderRequest) -> DeleteProviderResponse,
            test_provider(TestProviderRequest) -> TestProviderResponse,
            get_provider_health(GetProviderHealthRequest) -> GetProviderHealthResponse,
            estimate_sale(EstimateSaleRequest) -> EstimateSaleResponse;
    }

    handled_at_once! {
        providers: list_provider_drivers(ListProviderDriversRequest) -> ListProviderDriversResponse;
    }
}
