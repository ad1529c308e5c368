import { createElement } from "react";
import { decimal, money, parseCents, parseWhole, several, words } from "../../core/format.ts";
import {
  Exterior as X,
  ItemCategory as C,
  Rarity as R,
  type FilterExclusions,
  type FilterRules,
  type StickerRule,
} from "../../gen/contracts/v1/filter_set_pb.ts";
import type { Spec, Values } from "../../ui/field.tsx";
import { linesOf, type Section } from "../../ui/form.tsx";
import { AddName } from "../../ui/names.tsx";

const named = (e: Record<number, string>, ids: readonly number[]) => ids.map((i) => words(e[i])).join(", ");
/** What a set lets through, in a line. */
export function inWords(r: FilterRules | undefined): string {
  if (!r) return "Everything";
  const parts = [
    r.marketHashNames.length > 2 ? `${r.marketHashNames.length} names` : r.marketHashNames.join(", "),
    r.nameContains.length ? `name has ${r.nameContains.join(" or ")}` : "",
    r.weapons.join(", "),
    named(R, r.rarities),
    named(X, r.exteriors),
    named(C, r.categories),
    r.phases.join(", "),
    r.floatMin || r.floatMax ? `float ${r.floatMin || "0"} to ${r.floatMax || "1"}` : "",
    r.priceMinCents !== undefined || r.priceMaxCents !== undefined
      ? `${money(r.priceMinCents ?? 0n)} to ${r.priceMaxCents === undefined ? "any price" : money(r.priceMaxCents)}`
      : "",
    r.paintSeeds.length ? `${r.paintSeeds.length} seeds` : "",
    r.stickers.length ? several(r.stickers.length, "sticker rule", "sticker rules") : "",
    r.charms.length ? "charms" : "",
    r.tradeLockMaxDays !== undefined ? `lock up to ${r.tradeLockMaxDays} d` : "",
    r.exclude ? "with exceptions" : "",
  ].filter(Boolean);
  return parts.join(" · ") || "Everything";
}

const choices = (e: Record<string | number, string | number>, last: number) =>
  Array.from({ length: last }, (_, i) => [String(i + 1), words(String(e[i + 1]))] as const);
const RARITIES = choices(R, R.CONTRABAND),
  EXTERIORS = choices(X, X.BATTLE_SCARRED),
  CATEGORIES = choices(C, C.SOUVENIR);
const seeds = (v: string) =>
  linesOf(v.replaceAll(",", "\n")).some((l) => parseWhole(l) === undefined) ? "Write whole numbers, one a line." : undefined;
const float = (v: string) => (/^(0(\.\d{1,24})?|1(\.0*)?)$/.test(v) ? undefined : "Write a number from 0 to 1.");
const sticker = (s: StickerRule) =>
  [s.name, s.minCount ? `x${s.minCount}` : "", s.maxWear ? `wear ${s.maxWear}` : ""].filter(Boolean).join(" | ");
const parseSticker = (line: string) => {
  const [name = "", ...rest] = line.split("|").map((p) => p.trim());
  const more = rest.map((p) => /^x(\d+)$/.exec(p) ?? /^wear (\S+)$/.exec(p));
  // A sticker's own name has a stroke too: what is neither a count nor a wear belongs to the name.
  const full = [name, ...rest.filter((_, i) => !more[i])].join(" | ");
  const times = rest.map((p) => /^x(\d+)$/.exec(p)?.[1]).find(Boolean),
    wear = rest.map((p) => /^wear (\S+)$/.exec(p)?.[1]).find(Boolean);
  return { name: full, ...(times ? { minCount: Number(times) } : {}), ...(wear ? { maxWear: wear } : {}) };
};
const ids = (a: readonly number[]) => a.map(String).join("\n");

function common(p: string, r: FilterRules | FilterExclusions | undefined): Values {
  return {
    [`${p}names`]: r?.marketHashNames.join("\n") ?? "",
    [`${p}has`]: r?.nameContains.join("\n") ?? "",
    [`${p}weapons`]: r?.weapons.join("\n") ?? "",
    [`${p}rarities`]: ids(r?.rarities ?? []),
    [`${p}exteriors`]: ids(r?.exteriors ?? []),
    [`${p}categories`]: ids(r?.categories ?? []),
    [`${p}phases`]: r?.phases.join("\n") ?? "",
    [`${p}seeds`]: ids(r?.paintSeeds ?? []),
    [`${p}finishes`]: ids(r?.paintIndexes ?? []),
    [`${p}stickers`]: r?.stickers.map(sticker).join("\n") ?? "",
    [`${p}charms`]: r?.charms.join("\n") ?? "",
  };
}
export const startOf = (name: string, r: FilterRules | undefined): Values => ({
  name,
  ...common("", r),
  ...common("x", r?.exclude),
  but: r?.exclude ? "yes" : "",
  floatMin: r?.floatMin ?? "",
  floatMax: r?.floatMax ?? "",
  priceMin: r?.priceMinCents === undefined ? "" : decimal(r.priceMinCents),
  priceMax: r?.priceMaxCents === undefined ? "" : decimal(r.priceMaxCents),
  lock: r?.tradeLockMaxDays === undefined ? "" : String(r.tradeLockMaxDays),
});
const fields = (p: string, when?: (v: Values) => boolean): Record<"name" | "traits" | "more", Spec[]> => {
  const w = when ? { when } : {};
  return {
    name: [
      {
        name: `${p}names`,
        label: "Whole names",
        kind: "lines",
        placeholder: "AK-47 | Redline (Field-Tested)",
        hint: "One a line.",
        pick: (value, set) => createElement(AddName, { value, set }),
        ...w,
      },
      {
        name: `${p}has`,
        label: "Parts of names",
        kind: "lines",
        placeholder: "Doppler",
        hint: "One a line, at least two letters. Any of them is enough.",
        ...w,
      },
      {
        name: `${p}weapons`,
        label: "What it is",
        kind: "lines",
        placeholder: "AK-47",
        hint: "The part before the finish, one a line.",
        ...w,
      },
    ],
    traits: [
      { name: `${p}exteriors`, label: "Exterior", kind: "checks", options: EXTERIORS, ...w },
      { name: `${p}rarities`, label: "Rarity", kind: "checks", options: RARITIES, ...w },
      { name: `${p}categories`, label: "Kind", kind: "checks", options: CATEGORIES, ...w },
    ],
    more: [
      { name: `${p}phases`, label: "Phases", kind: "lines", placeholder: "Phase 2", ...w },
      { name: `${p}seeds`, label: "Seeds of patterns", kind: "lines", check: seeds, ...w },
      { name: `${p}finishes`, label: "Numbers of finishes", kind: "lines", check: seeds, ...w },
      {
        name: `${p}stickers`,
        label: "Stickers",
        kind: "lines",
        placeholder: "Crown (Foil) | x2 | wear 0.1",
        hint: "One a line: name, then the least number, then the most wear.",
        ...w,
      },
      { name: `${p}charms`, label: "Charms", kind: "lines", ...w },
    ],
  };
};
const PASS = fields(""),
  BUT = fields("x", (v) => v.but === "yes");
export const SECTIONS: Section[] = [
  { title: "Name", fields: [{ name: "name", label: "Name of the set", required: true, wide: true, max: 64 }, ...PASS.name] },
  {
    title: "Price and lock",
    fields: [
      { name: "priceMin", label: "Price from", kind: "money" },
      {
        name: "priceMax",
        label: "Price to",
        kind: "money",
        check: (v, a) => {
          const hi = parseCents(v),
            lo = parseCents(a.priceMin ?? "");
          return hi !== undefined && lo !== undefined && hi < lo ? "It is below the lowest price." : undefined;
        },
      },
      { name: "lock", label: "Trade lock at most", kind: "whole", suffix: "days" },
    ],
  },
  {
    title: "Traits",
    note: "Nothing checked lets everything through.",
    fields: [
      ...PASS.traits,
      { name: "floatMin", label: "Float from", check: float },
      {
        name: "floatMax",
        label: "Float to",
        check: (v, a) => float(v) ?? (a.floatMin && Number(v) < Number(a.floatMin) ? "It is below the lowest float." : undefined),
      },
      ...PASS.more,
    ],
  },
  {
    title: "Exceptions",
    note: "What an item must not have; checked before everything else.",
    fields: [{ name: "but", label: "Leave some items out", kind: "check" }, ...BUT.name, ...BUT.traits, ...BUT.more],
  },
];
const nums = (v: string | undefined) => linesOf(v?.replaceAll(",", "\n")).map(Number);
const same = (p: string, v: Values) => ({
  marketHashNames: linesOf(v[`${p}names`]),
  nameContains: linesOf(v[`${p}has`]),
  weapons: linesOf(v[`${p}weapons`]),
  rarities: nums(v[`${p}rarities`]) as R[],
  exteriors: nums(v[`${p}exteriors`]) as X[],
  categories: nums(v[`${p}categories`]) as C[],
  phases: linesOf(v[`${p}phases`]),
  paintSeeds: nums(v[`${p}seeds`]),
  paintIndexes: nums(v[`${p}finishes`]),
  stickers: linesOf(v[`${p}stickers`]).map(parseSticker),
  charms: linesOf(v[`${p}charms`]),
});
export const rulesOf = (v: Values) => ({
  ...same("", v),
  floatMin: v.floatMin || undefined,
  floatMax: v.floatMax || undefined,
  priceMinCents: v.priceMin ? parseCents(v.priceMin) : undefined,
  priceMaxCents: v.priceMax ? parseCents(v.priceMax) : undefined,
  tradeLockMaxDays: v.lock ? parseWhole(v.lock) : undefined,
  ...(v.but === "yes" ? { exclude: same("x", v) } : {}),
});
