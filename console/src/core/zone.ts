import { timestampFromDate, type Timestamp } from "@bufbuild/protobuf/wkt";
import { ms, zoneName } from "./format.ts";
import { place } from "./place.ts";

/** A moment as a field of a time has it, such as 2026-03-29T12:30, in a zone. */
function written(at: number, zone: string): string {
  const parts = new Intl.DateTimeFormat("en", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  }).formatToParts(at);
  const of = (type: string) => parts.find((p) => p.type === type)?.value ?? "";
  return `${of("year").padStart(4, "0")}-${of("month")}-${of("day")}T${of("hour")}:${of("minute")}`;
}
export const typedTime = (at: Timestamp | undefined, zone = zoneName()): string => (at ? written(ms(at), zone) : "");
/** The moment that was typed, in the zone in which times are shown. Of an hour that a clock skips it is the one behind it. */
export function timeOf(text: string | undefined, zone = zoneName()): Timestamp | undefined {
  if (!text) return undefined;
  const wall = Date.parse(`${text}Z`);
  if (Number.isNaN(wall)) return undefined;
  const before = (at: number) => Date.parse(`${written(at, zone)}Z`) - Math.floor(at / 60_000) * 60_000;
  return timestampFromDate(new Date(wall - before(wall - before(wall))));
}
/** The beginning of a day of the workspace, and with `more` of one behind it; undefined for what is not a day. */
export function dayStart(value: string, more = 0, zone = place.timeZone): Timestamp | undefined {
  const day = Date.parse(`${value}T00:00:00Z`);
  return Number.isNaN(day) ? undefined : timeOf(new Date(day + more * 86_400_000).toISOString().slice(0, 16), zone);
}
/** The zones that this browser knows, for a field. */
export const zones = (now: string): (readonly [string, string])[] =>
  [...new Set([now, "UTC", ...Intl.supportedValuesOf("timeZone")])].map((z) => [z, z || "Not set: that of the browser"] as const);
