//! `trading.v1.Trading`.

mod account_groups;
mod trade_offers;
mod trading_accounts;

use std::sync::Arc;

use connectrpc::{RequestContext, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;

use tradepost_proto::trading::v1 as wire;

/// The service.
pub(crate) struct TradingHandlers(pub(crate) Arc<Operations>);

impl wire::Trading for TradingHandlers {
    handled! {
        trading_accounts:
            list_accounts(ListAccountsRequest) -> ListAccountsResponse,
            get_account(GetAccountRequest) -> GetAccountResponse,
            get_accounts(GetAccountsRequest) -> GetAccountsResponse,
            count_accounts(CountAccountsRequest) -> CountAccountsResponse,
            create_account(CreateAccountRequest) -> CreateAccountResponse,
            update_account(UpdateAccountRequest) -> UpdateAccountResponse,
            disable_account(DisableAccountRequest) -> DisableAccountResponse,
            enable_account(EnableAccountRequest) -> EnableAccountResponse,
            remove_account(RemoveAccountRequest) -> RemoveAccountResponse,
            get_account_readiness(GetAccountReadinessRequest) -> GetAccountReadinessResponse;
        account_groups:
            list_account_groups(ListAccountGroupsRequest) -> ListAccountGroupsResponse,
            get_account_group(GetAccountGroupRequest) -> GetAccountGroupResponse,
            get_account_groups(GetAccountGroupsRequest) -> GetAccountGroupsResponse,
            create_account_group(CreateAccountGroupRequest) -> CreateAccountGroupResponse,
            update_account_group(UpdateAccountGroupRequest) -> UpdateAccountGroupResponse,
            delete_account_group(DeleteAccountGroupRequest) -> DeleteAccountGroupResponse,
            add_accounts_to_group(AddAccountsToGroupRequest) -> AddAccountsToGroupResponse,
            remove_accounts_from_group(RemoveAccountsFromGroupRequest) -> RemoveAccountsFromGroupResponse;
        trade_offers:
            list_trade_offers(ListTradeOffersRequest) -> ListTradeOffersResponse,
            get_trade_offer(GetTradeOfferRequest) -> GetTradeOfferResponse,
            get_trade_offers(GetTradeOffersRequest) -> GetTradeOffersResponse,
            count_trade_offers(CountTradeOffersRequest) -> CountTradeOffersResponse,
            get_trade(GetTradeRequest) -> GetTradeResponse;
    }
}
