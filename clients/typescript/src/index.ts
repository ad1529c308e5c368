/** Typed client of a tradepost server. */

export { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
export type { CallOptions } from "./caller.js";
export { connect, type ConnectOptions, type Tradepost } from "./connect.js";
export { TradepostError, type ErrorCode } from "./error.js";
export * from "./gen/index.js";
export { formatId, parseId } from "./id.js";
export { formatCents, parseCents } from "./money.js";
export type { RetryPolicy } from "./retry.js";
export type { Service } from "./service.js";
export type { WatchOptions } from "./watch.js";
