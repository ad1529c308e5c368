import { decimal, parseBps, parseCents, parseWhole, zoneName } from "../../core/format.ts";
import { read, show } from "../../core/ids.ts";
import { timeOf, typedTime } from "../../core/zone.ts";
import { ApprovalMode as M, ContractType as K, PriceStatistic as P, type Contract } from "../../gen/contracts/v1/contract_pb.ts";
import { linesOf, type Section } from "../../ui/form.tsx";
import type { Spec, Values } from "../../ui/field.tsx";
import { marketplaces, priceSources } from "../../ui/on-record.tsx";
import * as T from "./terms.ts";
import { STATISTICS } from "./words.ts";

const cents = (v: bigint | undefined) => (v === undefined ? "" : decimal(v));
const bps = (v: number | undefined) => (v === undefined ? "" : String(v / 100));
const whole = (v: number | undefined) => (v === undefined ? "" : String(v));
const positive = (v: string) => (parseCents(v) === 0n ? "It has to be more than nothing." : undefined);
const some = (v: string) => (parseWhole(v) === 0 ? "It has to be one or more." : undefined);
const upTo = (most: number) => (v: string) => ((parseBps(v) ?? 0) > most * 100 ? `At most ${most}%.` : undefined);

export function startOf(c: Contract | undefined): Values {
  const b = c?.buying,
    s = c?.selling,
    r = c?.priceReference;
  return {
    type: String(c?.type ?? K.BUYING),
    name: c?.name ?? "",
    filter: show(c?.filterSetId),
    pool: show(c?.poolId),
    approval: String(c?.approvalMode ?? M.MANUAL),
    markets: c?.marketplaces.join("\n") ?? "",
    starts: typedTime(c?.startsAt),
    ends: typedTime(c?.endsAt),
    quantity: whole(b?.targetQuantity),
    max: cents(b?.maxBuyPriceCents),
    budget: cents(b?.budgetCents),
    daily: cents(b?.dailyBudgetCents),
    discount: bps(b?.minDiscountBps),
    margin: bps(b?.minExpectedMarginBps),
    perName: whole(b?.maxPerItemName),
    open: whole(b?.maxOpenPurchases),
    cooldown: whole(b?.cooldownSeconds),
    lock: whole(b?.maxTradeLockDays),
    liquidity: whole(b?.minLiquidityScore),
    seller: bps(b?.minSellerSuccessBps),
    loss: cents(b?.maxDailyLossCents),
    floor: cents(s?.floorPriceCents),
    ceiling: cents(s?.ceilingPriceCents),
    sellMargin: bps(s?.minMarginBps),
    undercut: cents(s?.undercutCents),
    undercutShare: bps(s?.undercutBps),
    below: bps(s?.maxBelowValueBps),
    above: bps(s?.maxAboveValueBps),
    interval: whole(s?.repriceIntervalSeconds),
    listings: whole(s?.maxListings),
    own: r ? "yes" : "",
    sources: r?.sources.join("\n") ?? "",
    statistic: String(r?.statistic ?? P.MEDIAN),
    age: whole(r?.maxAgeSeconds),
    confidence: bps(r?.minConfidenceBps),
  };
}

const BUYING: Spec[] = [
  {
    name: "quantity",
    label: T.BUYING.quantity.name,
    kind: "whole",
    required: true,
    check: some,
    hint: "How many items to buy in all. Then it completes.",
  },
  {
    name: "max",
    label: T.BUYING.max.name,
    kind: "money",
    required: true,
    check: positive,
    hint: "Of one item. Nothing is ever bought above it.",
  },
  {
    name: "budget",
    label: T.BUYING.budget.name,
    kind: "money",
    required: true,
    hint: "The most to spend in all.",
    check: (v, all) => {
      const b = parseCents(v),
        m = parseCents(all.max ?? "");
      return b !== undefined && m !== undefined && b < m ? "It is less than one item may cost." : undefined;
    },
  },
  {
    name: "daily",
    label: T.BUYING.daily.name,
    kind: "money",
    hint: "The most to spend on a day of UTC.",
    check: (v, all) => {
      const d = parseCents(v),
        b = parseCents(all.budget ?? "");
      return d !== undefined && b !== undefined && d > b ? "It is more than the whole budget." : undefined;
    },
  },
];
const CARE: Spec[] = [
  {
    name: "discount",
    label: T.BUYING.discount.name,
    kind: "percent",
    check: upTo(100),
    hint: "An item is skipped unless it is offered this far below its value.",
  },
  {
    name: "margin",
    label: T.BUYING.margin.name,
    kind: "percent",
    hint: "What would be left of a sale at its value, after all fees.",
  },
  { name: "perName", label: T.BUYING.perName.name, kind: "whole", check: some, hint: "Against filling up with one item." },
  { name: "open", label: T.BUYING.open.name, kind: "whole", check: some, hint: "Bought and not yet received." },
  {
    name: "cooldown",
    label: T.BUYING.cooldown.name,
    kind: "whole",
    suffix: "seconds",
    hint: "After a purchase it buys nothing for so long.",
  },
  { name: "lock", label: T.BUYING.lock.name, kind: "whole", suffix: "days", hint: "Items that are locked for longer are skipped." },
  {
    name: "liquidity",
    label: T.BUYING.liquidity.name,
    kind: "whole",
    hint: "From 0 to 100: how often it is sold.",
    check: (v) => ((parseWhole(v) ?? 0) > 100 ? "At most 100." : undefined),
  },
  {
    name: "seller",
    label: T.BUYING.seller.name,
    kind: "percent",
    check: upTo(100),
    hint: "The share of trades that the seller completed.",
  },
  {
    name: "loss",
    label: T.BUYING.loss.name,
    kind: "money",
    check: positive,
    hint: "At this loss on a day the contract stops itself and opens a problem.",
  },
];
const SELLING: Spec[] = [
  {
    name: "floor",
    label: T.SELLING.floor.name,
    kind: "money",
    required: true,
    check: positive,
    hint: "No item is put on sale for less, whatever its value is.",
  },
  {
    name: "ceiling",
    label: T.SELLING.ceiling.name,
    kind: "money",
    hint: "No item is put on sale for more. Empty: its value decides.",
    check: (v, all) => {
      const c = parseCents(v),
        f = parseCents(all.floor ?? "");
      return c !== undefined && f !== undefined && c < f ? "It is below the floor." : undefined;
    },
  },
  { name: "sellMargin", label: T.SELLING.sellMargin.name, kind: "percent", hint: "Over what the item cost, after the fee of the sale." },
  {
    name: "undercut",
    label: T.SELLING.undercut.name,
    kind: "money",
    hint: "Empty, also the share: it asks the value of the item.",
    check: (_v, all) => (all.undercutShare ? "Set an amount or a share, not both." : undefined),
  },
  { name: "undercutShare", label: "or by a share of it", kind: "percent", hint: "Others can bait it down to the limit below its value." },
  {
    name: "interval",
    label: T.SELLING.interval.name,
    kind: "whole",
    suffix: "seconds",
    hint: "The price of an item on sale changes at most so often. Empty is 600.",
  },
  { name: "below", label: T.SELLING.below.name, kind: "percent", check: upTo(100), hint: "Whatever others list at. Empty is 50%." },
  { name: "above", label: T.SELLING.above.name, kind: "percent", hint: "Whatever others list at. Empty is 50%." },
  {
    name: "listings",
    label: T.SELLING.listings.name,
    kind: "whole",
    check: some,
    hint: "Of this contract. Others wait until one is sold or delisted.",
  },
];
const VALUE: Spec[] = [
  { name: "own", label: "Use other rules than those of the workspace", kind: "check" },
  {
    name: "statistic",
    label: T.VALUE.statistic.name,
    kind: "select",
    options: [P.MEDIAN, P.LOWEST_ASK, P.HIGHEST_BID, P.SALES_7D].map((p) => [String(p), STATISTICS[p]] as const),
    hint: "To buy, a value is never above the median of the sources; to sell, never below it.",
    when: (v) => v.own === "yes",
  },
  {
    name: "age",
    label: T.VALUE.age.name,
    kind: "whole",
    suffix: "seconds",
    hint: "An older price does not count. Fewer than two sources that count give no value.",
    when: (v) => v.own === "yes",
  },
  {
    name: "confidence",
    label: T.VALUE.confidence.name,
    kind: "percent",
    check: upTo(100),
    hint: "More and newer sources that agree give more, two at most 75%. Below it nothing is bought or sold.",
    when: (v) => v.own === "yes",
  },
  {
    name: "sources",
    label: T.VALUE.sources.name,
    kind: "lines",
    hint: "One name a line. Empty takes all.",
    pick: priceSources,
    when: (v) => v.own === "yes",
  },
];

type Choice = readonly (readonly [string, string])[];
/** The sections of the form. What cannot be changed once a contract was active is left out. */
export function sectionsOf(v: Values, filters: Choice, pools: Choice, editing: "new" | "draft" | "live"): Section[] {
  const what: Spec[] = [
    ...(editing === "new"
      ? [
          {
            name: "type",
            label: "It",
            kind: "select",
            options: [
              [String(K.BUYING), "buys"],
              [String(K.SELLING), "sells"],
            ],
          } satisfies Spec,
        ]
      : []),
    { name: "name", label: T.WHAT.name.name, required: true, max: 64 },
    {
      name: "filter",
      label: T.WHAT.filter.name,
      kind: "select",
      options: [["", "None: every item"], ...filters],
      hint: "Which items it looks at.",
    },
    ...(editing === "live"
      ? []
      : [
          {
            name: "pool",
            label: T.WHAT.pool.name,
            kind: "select",
            options: [["", "None"], ...pools],
            hint: "Whose money it uses, and whose accounts.",
          } satisfies Spec,
        ]),
    {
      name: "approval",
      label: T.WHAT.approval.name,
      kind: "select",
      options: [
        [String(M.MANUAL), "By hand: a person approves each action"],
        [String(M.AUTOMATIC), "Automatic: it acts by itself"],
        [String(M.DRY_RUN), "Dry run: it decides and does nothing"],
      ],
    },
    ...(editing === "live"
      ? []
      : [
          {
            name: "starts",
            label: T.WHAT.starts.name,
            kind: "time",
            hint: `Time of ${zoneName()}. Empty: at its activation.`,
          } satisfies Spec,
        ]),
    {
      name: "ends",
      label: T.WHAT.ends.name,
      kind: "time",
      hint: `Time of ${zoneName()}. Empty: never.`,
      check: (x, all) => (all.starts && x <= all.starts ? "It ends before it starts." : undefined),
    },
    { name: "markets", label: T.WHAT.markets.name, kind: "lines", hint: "One name a line. Empty means all of them.", pick: marketplaces },
  ];
  return v.type === String(K.SELLING)
    ? [
        { title: "What it does", fields: what },
        { title: "Prices", fields: SELLING },
        { title: "Where the value comes from", fields: VALUE },
      ]
    : [
        { title: "What it does", fields: what },
        { title: "Money", fields: BUYING },
        { title: "Care", note: "An empty field means no limit.", fields: CARE },
        { title: "Where the value comes from", fields: VALUE },
      ];
}

const n = (v: string | undefined) => (v?.trim() ? parseWhole(v) : undefined);
const b = (v: string | undefined) => (v?.trim() ? parseBps(v) : undefined);
const c = (v: string | undefined) => (v?.trim() ? parseCents(v) : undefined);
/** The message of what was typed. */
export function termsOf(v: Values) {
  const reference =
    v.own === "yes"
      ? { sources: linesOf(v.sources), statistic: Number(v.statistic) as P, maxAgeSeconds: n(v.age), minConfidenceBps: b(v.confidence) }
      : undefined;
  const buying = {
    targetQuantity: n(v.quantity),
    maxBuyPriceCents: c(v.max),
    budgetCents: c(v.budget),
    dailyBudgetCents: c(v.daily),
    minDiscountBps: b(v.discount),
    minExpectedMarginBps: b(v.margin),
    maxPerItemName: n(v.perName),
    maxOpenPurchases: n(v.open),
    cooldownSeconds: n(v.cooldown),
    maxTradeLockDays: n(v.lock),
    minLiquidityScore: n(v.liquidity),
    minSellerSuccessBps: b(v.seller),
    maxDailyLossCents: c(v.loss),
  };
  const selling = {
    floorPriceCents: c(v.floor),
    ceilingPriceCents: c(v.ceiling),
    minMarginBps: b(v.sellMargin),
    undercutCents: c(v.undercut),
    undercutBps: b(v.undercutShare),
    maxBelowValueBps: b(v.below),
    maxAboveValueBps: b(v.above),
    repriceIntervalSeconds: n(v.interval),
    maxListings: n(v.listings),
  };
  return {
    name: v.name!.trim(),
    filterSetId: read(v.filter ?? ""),
    approvalMode: Number(v.approval) as M,
    marketplaces: linesOf(v.markets),
    startsAt: timeOf(v.starts),
    endsAt: timeOf(v.ends),
    priceReference: reference,
    ...(v.type === String(K.SELLING) ? { selling } : { buying }),
  };
}
export const poolOf = (v: Values) => read(v.pool ?? "");
