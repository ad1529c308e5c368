import { timestampFromDate, type Timestamp } from "@bufbuild/protobuf/wkt";
import { daysAgo, ms, zoneName } from "./format.ts";
import { place } from "./place.ts";

const DAY = 86_400_000;
const clocks = new Map<string, Intl.DateTimeFormat>();
function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const two = "2-digit";
  const clock = new Intl.DateTimeFormat("en", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: two,
    day: two,
    hour: two,
    minute: two,
  });
  clocks.set(zone, clock);
  return clock;
}
/** A moment as a field of a time has it, such as 2026-03-29T12:30, in a zone. */
function written(at: number, zone: string): string {
  const parts = clockOf(zone).formatToParts(at);
  const of = (type: string) => parts.find((p) => p.type === type)?.value ?? "";
  return `${of("year").padStart(4, "0")}-${of("month")}-${of("day")}T${of("hour")}:${of("minute")}`;
}
export const typedTime = (at: Timestamp | undefined, zone = zoneName()): string => (at ? written(ms(at), zone) : "");
/** The moment that was typed, in the zone in which times are shown. Of an hour that a clock skips it is the one behind it, and of one that it
 * shows twice the first. */
export function timeOf(text: string | undefined, zone = zoneName()): Timestamp | undefined {
  if (!text) return undefined;
  const wall = Date.parse(`${text}Z`);
  if (Number.isNaN(wall)) return undefined;
  const ahead = (at: number) => Date.parse(`${written(at, zone)}Z`) - Math.floor(at / 60_000) * 60_000;
  // By the clock of the day before, and by that of the day behind: they differ where the clock is changed between.
  const [first, second] = [wall - ahead(wall - DAY), wall - ahead(wall + DAY)];
  const isShown = (at: number) => at + ahead(at) === wall;
  return timestampFromDate(new Date(!isShown(first) && isShown(second) ? second : first));
}
/** The beginning of a day of the workspace, and with `more` of one behind it; undefined for what is not a day. */
export function dayStart(value: string, more = 0, zone = place.timeZone): Timestamp | undefined {
  const day = Date.parse(`${value}T00:00:00Z`);
  return Number.isNaN(day) ? undefined : timeOf(new Date(day + more * DAY).toISOString().slice(0, 16), zone);
}
/** The beginning of the first of so many days, of which today is the last: of days of the workspace, and of those of UTC for equity. */
export const firstOf = (days: number, now: number) =>
  [dayStart(written(now, place.timeZone).slice(0, 10), 1 - days)!, daysAgo(days, now)] as const;
/** The date of a moment in the workspace, as the seconds of its midnight in UTC: charts write days of UTC. */
export const dateOf = (at: Timestamp | undefined): number => Date.parse(`${typedTime(at, place.timeZone).slice(0, 10)}T00:00Z`) / 1000;
/** The zones that this browser knows, for a field. */
export const zones = (now: string): (readonly [string, string])[] =>
  [...new Set([now, "UTC", ...Intl.supportedValuesOf("timeZone")])].map((z) => [z, z || "Not set: that of the browser"] as const);
