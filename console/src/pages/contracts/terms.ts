import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { count, decimal, iso, money, percent, span, when } from "../../core/format.ts";
import { show, uuid } from "../../core/ids.ts";
import { ContractType as K, type BuyingTerms, type PriceReference, type SellingTerms } from "../../gen/contracts/v1/contract_pb.ts";
import type { ContractVersion } from "../../gen/contracts/v1/contract_version_pb.ts";
import { APPROVAL, STATISTICS } from "./words.ts";

/** What a contract and a version of its terms have in common. */
export type Terms = Pick<
  ContractVersion,
  | "name"
  | "type"
  | "filterSetId"
  | "poolId"
  | "approvalMode"
  | "marketplaces"
  | "priceReference"
  | "startsAt"
  | "endsAt"
  | "buying"
  | "selling"
>;
/** How a value is written: on a page, and in a file. */
interface Unit<V> {
  text: (value: V) => string;
  file: (value: V) => string;
}
const plain = { text: (v: string) => v, file: (v: string) => v };
const cents: Unit<bigint> = { text: (v) => money(v), file: decimal };
const bps: Unit<number> = { text: percent, file: (v) => `${v / 100}%` };
const whole: Unit<number> = { text: count, file: String };
const seconds: Unit<number> = { text: span, file: String };
const days: Unit<number> = { text: (v) => `${v} d`, file: String };
const time: Unit<Timestamp> = { text: when, file: iso };
const record: Unit<Uint8Array> = { text: (v) => show(v).slice(-8), file: uuid };
const names: Unit<string[]> = { text: (v) => v.join(", "), file: (v) => v.join(", ") };

/** One term of a contract: its name everywhere, and how its value is compared and written. */
export interface Term {
  name: string;
  /** What a contract without it has. */
  none: string;
  text: (of: Terms) => string | undefined;
  file: (of: Terms) => string;
  /** The same for equal values only. */
  key: (of: Terms) => string;
  /** The record that it names. */
  id: ((of: Terms) => Uint8Array | undefined) | undefined;
  page: "/filters" | "/pools" | undefined;
}
const exactly = (_key: string, value: unknown) =>
  typeof value === "bigint" ? String(value) : value instanceof Uint8Array ? show(value) : value;
const term = <V>(name: string, read: (of: Terms) => V | undefined, unit: Unit<V>, none = "no limit"): Term => {
  const write = (of: Terms, how: (value: V) => string) => {
    const value = read(of);
    return value === undefined ? undefined : how(value);
  };
  return {
    name,
    none,
    text: (of) => write(of, unit.text),
    file: (of) => write(of, unit.file) ?? "",
    key: (of) => JSON.stringify(read(of), exactly) ?? "",
    id: undefined,
    page: undefined,
  };
};
const linked = (name: string, read: (of: Terms) => Uint8Array | undefined, page: "/filters" | "/pools", none: string): Term => {
  const id = (of: Terms) => (read(of)?.length ? read(of) : undefined);
  return { ...term(name, id, record, none), id, page };
};
const buying = <V>(name: string, read: (b: BuyingTerms) => V | undefined, unit: Unit<V>) =>
  term(name, (of) => of.buying && read(of.buying), unit);
const selling = <V>(name: string, read: (s: SellingTerms) => V | undefined, unit: Unit<V>, none?: string) =>
  term(name, (of) => of.selling && read(of.selling), unit, none);
const value = <V>(name: string, read: (r: PriceReference) => V | undefined, unit: Unit<V>, none = "no limit") => {
  // A contract with rules of its own has no limit where it sets none; without such rules it has those of the workspace.
  const own = (how: (v: V) => string) => (rule: { set: V | undefined }) => (rule.set === undefined ? none : how(rule.set));
  return term(
    name,
    ({ priceReference: r }) => r && { set: read(r) },
    { text: own(unit.text), file: own(unit.file) },
    "as in the workspace",
  );
};

/** What a contract does, under the names of the fields of its form. */
export const WHAT = {
  type: term("Does", (of) => (of.type === K.SELLING ? "sells" : "buys"), plain, ""),
  name: term("Name", (of) => of.name, plain, "none"),
  filter: linked("Filter set", (of) => of.filterSetId, "/filters", "none: every item"),
  pool: linked("Pool", (of) => of.poolId, "/pools", "none"),
  approval: term("Approval", (of) => APPROVAL[of.approvalMode ?? 0], plain, ""),
  markets: term("Marketplaces", (of) => (of.marketplaces.length ? of.marketplaces : undefined), names, "all"),
  starts: term("Starts", (of) => of.startsAt, time, "at its activation"),
  ends: term("Ends", (of) => of.endsAt, time, "never"),
};
export const BUYING = {
  quantity: buying("Quantity", (b) => b.targetQuantity, whole),
  max: buying("Price with fee at most", (b) => b.maxBuyPriceCents, cents),
  budget: buying("Budget", (b) => b.budgetCents, cents),
  daily: buying("Budget of a day", (b) => b.dailyBudgetCents, cents),
  discount: buying("Below its value at least", (b) => b.minDiscountBps, bps),
  margin: buying("Expected margin at least", (b) => b.minExpectedMarginBps, bps),
  perName: buying("Items of one name at most", (b) => b.maxPerItemName, whole),
  open: buying("Open purchases at most", (b) => b.maxOpenPurchases, whole),
  cooldown: buying("Time between two purchases", (b) => b.cooldownSeconds, seconds),
  lock: buying("Trade lock at most", (b) => b.maxTradeLockDays, days),
  liquidity: buying("Liquidity at least", (b) => b.minLiquidityScore, whole),
  seller: buying("Seller delivers at least", (b) => b.minSellerSuccessBps, bps),
  loss: buying("Loss of a day at most", (b) => b.maxDailyLossCents, cents),
};
export const SELLING = {
  floor: selling("Never below", (s) => s.floorPriceCents, cents),
  ceiling: selling("Never above", (s) => s.ceilingPriceCents, cents),
  sellMargin: selling("Margin at least", (s) => s.minMarginBps, bps),
  undercut: selling("Below the cheapest other by", (s) => s.undercutCents, cents, "no amount"),
  undercutShare: selling("Below the cheapest other by a share", (s) => s.undercutBps, bps, "no share"),
  below: selling("Below its value at most", (s) => s.maxBelowValueBps, bps, "50%"),
  above: selling("Above its value at most", (s) => s.maxAboveValueBps, bps, "50%"),
  interval: selling("Time between two changes", (s) => s.repriceIntervalSeconds, seconds),
  listings: selling("Items on sale at most", (s) => s.maxListings, whole),
};
/** Where the value of an item comes from. */
export const VALUE = {
  sources: value("Sources of the value", (r) => (r.sources.length ? r.sources : undefined), names, "all of the workspace"),
  statistic: value("Taken from the sources", (r) => STATISTICS[r.statistic ?? 0], plain),
  age: value("Value not older than", (r) => r.maxAgeSeconds, seconds),
  confidence: value("Confidence at least", (r) => r.minConfidenceBps, bps),
};

/** All terms that a contract of its type can have. */
export const termsOf = (of: Terms): Term[] => [
  ...Object.values(WHAT),
  ...Object.values(of.type === K.SELLING ? SELLING : BUYING),
  ...Object.values(VALUE),
];
/** The terms that differ between two versions, in the order of the form. */
export const changesOf = (before: Terms, after: Terms): Term[] => termsOf(after).filter((t) => t.key(before) !== t.key(after));
/** The terms that have a value. */
export const setOf = (of: Terms): Term[] => termsOf(of).filter((t) => t.text(of) !== undefined);
