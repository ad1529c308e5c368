import { ApprovalMode as M, ContractStatus as S, PriceStatistic as P } from "../../gen/contracts/v1/contract_pb.ts";

export const MEANS: Record<S, string> = {
  [S.UNSPECIFIED]: "",
  [S.DRAFT]: "Written, not in force.",
  [S.ACTIVE]: "In force: it may start to buy or sell.",
  [S.PAUSED]: "Stopped by a person.",
  [S.SUSPENDED]: "Stopped by the service.",
  [S.CLOSING]: "Starts nothing new; what is open is followed to its end.",
  [S.COMPLETED]: "Filled, or its budget is used.",
  [S.CANCELLED]: "Ended by a person.",
  [S.EXPIRED]: "Its time has passed.",
};
export const APPROVAL: Record<M, string> = {
  [M.UNSPECIFIED]: "–",
  [M.AUTOMATIC]: "Automatic",
  [M.MANUAL]: "By hand",
  [M.DRY_RUN]: "Dry run",
};
export const STATISTICS: Record<P, string> = {
  [P.UNSPECIFIED]: "–",
  [P.MEDIAN]: "Median of the sources",
  [P.LOWEST_ASK]: "Lowest ask",
  [P.HIGHEST_BID]: "Highest bid",
  [P.SALES_7D]: "Sales of 7 days",
};
/** The rules of an evaluation by their codes, and how to read their numbers. */
export const RULES: Record<string, [name: string, unit?: "cents" | "bps" | "s" | "days"]> = {
  CONTRACT_ACTIVE: ["Contract is active"],
  CONTRACT_PERIOD: ["Within its time"],
  QUANTITY: ["Quantity"],
  OPEN_PURCHASES: ["Purchases open at a time"],
  ITEM_NAME_QUANTITY: ["Items of this name"],
  COOLDOWN: ["Time since the last purchase", "s"],
  FILTER: ["Filter set"],
  MARKETPLACE: ["Marketplace"],
  SELLER_SUCCESS: ["Seller delivers", "bps"],
  TRADE_LOCK: ["Trade lock", "days"],
  BUY_PRICE: ["Price with fee", "cents"],
  BUDGET: ["Budget", "cents"],
  DAILY_BUDGET: ["Budget of the day", "cents"],
  FAIR_VALUE: ["Value is known", "cents"],
  CONFIDENCE: ["Confidence in the value", "bps"],
  LIQUIDITY: ["Liquidity"],
  DISCOUNT: ["Below its value", "bps"],
  EXPECTED_MARGIN: ["Expected margin", "bps"],
  LISTINGS: ["Items on sale"],
  ITEM_FREE: ["Item is free"],
  FLOOR_PRICE: ["Floor price", "cents"],
  BALANCE: ["Balance at the marketplace", "cents"],
  POOL: ["Pool has the money", "cents"],
  ACCOUNT: ["An account is ready"],
  PRICE_BAND: ["Near its value", "cents"],
};
/** Why the service stopped a contract, or lets it wait: what it costs, and what to do. */
export const WHY_STOPPED: Record<string, string> = {
  TRADING_HALTED: "Trading is halted in the workspace. It goes on when trading is resumed.",
  POOL_PAUSED: "Its pool is paused. It goes on when the pool is resumed.",
  BREAKER_OPEN:
    "Ten of its purchases failed in a row, or it lost on a day what it may lose. It buys nothing; what it bought goes on. Its problem has the cause. Resume it once the cause is corrected.",
  PRICE_SOURCE_STALE: "Too few of its sources report prices. It buys nothing, and goes on by itself once they report again.",
  DUPLICATE_SUSPECT: "It may have bought the same thing twice. Compare the orders at the marketplace before you resume it.",
  NOT_SERVED: "No running engine serves its marketplaces: it neither buys nor sells. Start one that does, or check its settings.",
};
