import { ProviderCapability as C, ProviderKind as K, type FeeRate } from "../../gen/markets/v1/provider_pb.ts";
import { money, percent } from "../../core/format.ts";

export const KINDS: Record<K, string> = {
  [K.UNSPECIFIED]: "–",
  [K.MARKETPLACE]: "Marketplace",
  [K.PRICE_SOURCE]: "Price source",
  [K.GAME_PLATFORM]: "Game platform",
};
export const CAN: Record<C, string> = {
  [C.UNSPECIFIED]: "–",
  [C.LISTINGS]: "shows listings",
  [C.BUY]: "buys",
  [C.SELL]: "sells",
  [C.QUOTES]: "quotes prices",
  [C.INVENTORY]: "shows inventories",
  [C.TRADE_OFFERS]: "trades",
};
/** The settings from now on. No setting in a list would leave those that there are. */
export const settingsOf = <S>(settings: S[], known: readonly unknown[]) =>
  settings.length || !known.length ? { settings } : { noSettings: true };
export const fee = (f: FeeRate | undefined): string =>
  f ? `${percent(f.shareBps)}${f.minimumCents ? `, at least ${money(f.minimumCents)}` : ""}` : "not known";
