import { timestampDate, timestampFromDate, type Timestamp } from "@bufbuild/protobuf/wkt";
import { place } from "./place.ts";

const cache = new Map<string, Intl.NumberFormat>();
function formatOf(currency: string, signed: boolean): Intl.NumberFormat {
  const key = currency + signed;
  let f = cache.get(key);
  if (!f) {
    const rest = { currencyDisplay: "narrowSymbol", signDisplay: signed ? "exceptZero" : "auto" } as const;
    try {
      f = new Intl.NumberFormat(undefined, { style: "currency", currency, ...rest });
    } catch {
      f = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, signDisplay: rest.signDisplay });
    }
    cache.set(key, f);
  }
  return f;
}

export const decimal = (cents: bigint): string => {
  const abs = cents < 0n ? -cents : cents;
  return `${cents < 0n ? "-" : ""}${abs / 100n}.${String(abs % 100n).padStart(2, "0")}`;
};
/** A word joiner keeps the sign on the line of its number. */
const signOf = (text: string): string => text.replace("-", "−\u2060");
/** Cents to text without a float in between: Intl takes decimal text exactly. */
export const money = (cents: bigint | undefined, signed = false, currency = place.currency): string =>
  cents === undefined ? "–" : signOf(formatOf(currency, signed).format(decimal(cents) as Intl.StringNumericLiteral));
export const toneOf = (cents: bigint | undefined): string => (cents === undefined ? "" : cents > 0n ? "gain" : cents < 0n ? "loss" : "");

/** "12", "12.5" and "1 200.50" to cents; undefined if it is not an amount. */
export function parseCents(text: string): bigint | undefined {
  const t = text.replace(/[\s\u2060,'_$€£]/g, "").replace("−", "-");
  const m = /^(-?)(\d{1,13})(?:\.(\d{1,2}))?$/.exec(t);
  if (!m) return undefined;
  const cents = BigInt(m[2]!) * 100n + BigInt((m[3] ?? "").padEnd(2, "0"));
  return m[1] ? -cents : cents;
}
/** Hundredths of a percent from "2.5". */
export function parseBps(text: string): number | undefined {
  const m = /^(-?\d{1,5})(?:\.(\d{1,2}))?\s*%?$/.exec(text.trim());
  return m ? Math.sign(Number(m[1]) || 1) * (Math.abs(Number(m[1])) * 100 + Number((m[2] ?? "").padEnd(2, "0"))) : undefined;
}
export const parseWhole = (text: string): number | undefined => (/^\d{1,9}$/.test(text.trim()) ? Number(text.trim()) : undefined);
const whole = new Intl.NumberFormat();
export const count = (n: number | bigint | undefined): string => (n === undefined ? "–" : whole.format(n));
/** A number with its noun. */
export const several = (n: number | bigint, one: string, many: string): string => `${count(n)} ${Number(n) === 1 ? one : many}`;
const share = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 2 });
export const percent = (bps: number | bigint | undefined): string => (bps === undefined ? "–" : signOf(share.format(Number(bps) / 10_000)));

type Style = Intl.DateTimeFormatOptions;
let zone: string | undefined;
let clocks = new Map<string, Intl.DateTimeFormat>();
/** A zone by the name that this browser has for it; undefined for one that it does not know yet. */
function zoneOf(name: string | undefined): string | undefined {
  try {
    return name ? new Intl.DateTimeFormat(undefined, { timeZone: name }).resolvedOptions().timeZone : undefined;
  } catch {
    return undefined;
  }
}
/** The time zone in which the person reads times; without one it is the browser's. */
export function setZone(name: string | undefined): void {
  zone = zoneOf(name);
  clocks = new Map();
}
/** The time zone of a workspace: UTC where it has none, or one that this browser does not know yet. */
export const zoneOfDays = (name: string | undefined): string => (zoneOf(name) && name) || "UTC";
/** The name of the zone in which the person reads times. */
export const zoneName = (): string => zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
/** A moment in the person's time zone. */
export function moment(at: number | Date, style: Style = { dateStyle: "medium", timeStyle: "short" }): string {
  const key = JSON.stringify(style);
  const clock = clocks.get(key) ?? new Intl.DateTimeFormat(undefined, zone ? { ...style, timeZone: zone } : style);
  clocks.set(key, clock);
  return clock.format(at);
}
/** Charts have days as midnights of UTC, whichever zone they are of. */
const dayOnly = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" });
const dayShort = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", timeZone: "UTC" });
export const ms = (at: Timestamp | undefined): number => (at ? timestampDate(at).getTime() : 0);
export const when = (at: Timestamp | undefined): string => (at ? moment(timestampDate(at)) : "–");
/** A moment for a file: the same for every reader. */
export const iso = (at: Timestamp | undefined): string => (at ? timestampDate(at).toISOString() : "");
export const dayOf = (at: Timestamp | undefined): string => (at ? dayOnly.format(timestampDate(at)) : "–");
export const dayMonth = (seconds: number): string => dayShort.format(seconds * 1000);
export const dayLong = (seconds: number): string => dayOnly.format(seconds * 1000);
export const daysAgo = (days: number, now: number): Timestamp => {
  const d = new Date(now);
  d.setUTCHours(0, 0, 0, 0);
  d.setUTCDate(d.getUTCDate() - days + 1);
  return timestampFromDate(d);
};

const rel = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "narrow" });
export const ago = (at: Timestamp | undefined, now: number): string => {
  if (!at) return "–";
  const s = Math.round((ms(at) - now) / 1000);
  const a = Math.abs(s);
  if (a < 5) return "now";
  if (a < 60) return rel.format(s, "second");
  if (a < 3600) return rel.format(Math.round(s / 60), "minute");
  return a < 86_400 ? rel.format(Math.round(s / 3600), "hour") : rel.format(Math.round(s / 86_400), "day");
};
export const span = (seconds: number | undefined): string => {
  if (seconds === undefined) return "–";
  if (seconds % 86_400 === 0 && seconds) return `${seconds / 86_400} d`;
  if (seconds % 3600 === 0 && seconds) return `${seconds / 3600} h`;
  return seconds % 60 === 0 && seconds ? `${seconds / 60} min` : `${seconds} s`;
};

/** "api_key.created" to "API key created". */
export const eventWords = (type: string | undefined): string =>
  words((type ?? "").replaceAll(".", " ")).replace(/\btotp\b/gi, (t) => (t[0] === "T" ? "Authenticator" : "authenticator"));

/** A sentence of the server without the names of its states in capitals. */
export const plainly = (text: string | undefined): string =>
  (text ?? "").replace(/\b[A-Z][A-Z_]{2,}\b/g, (n) =>
    /^(API|UTC|USD|EUR|GBP|CNY|HTTP|TLS|AWP)$/.test(n) ? n : n.toLowerCase().replaceAll("_", " "),
  );

/** "an item", "a purchase". */
export const a = (noun: string): string => `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;

/** PURCHASE_STATUS_TRADE_HELD or TRADE_HELD or trade_held to "Trade held". */
export const words = (name: string | undefined): string => {
  const t = (name ?? "").toLowerCase().replaceAll("_", " ");
  return (t.charAt(0).toUpperCase() + t.slice(1)).replace("Stattrak", "StatTrak").replace(/\bapi\b/i, "API");
};
