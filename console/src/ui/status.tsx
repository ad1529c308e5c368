import { words } from "../core/format.ts";

type Look = [tone: "" | "gain" | "loss" | "warn" | "info", shape?: "ring" | "square", word?: string];
/** What a status looks like. Shown by tone, shape and word: a ring waits, a square is over, a dot is as it should be. */
const LOOKS: Record<string, Look> = {
  UNSPECIFIED: ["", "ring", "Unknown"],
  PENDING: ["", "ring"],
  SUBMITTED: ["info", "ring"],
  UNCERTAIN: ["warn", "ring", "Outcome unknown"],
  PAID: ["info", "ring"],
  OFFERED: ["info", "ring"],
  TRADE_HELD: ["warn", "ring"],
  TRADED: ["gain"],
  SETTLED: ["gain", "square"],
  DELIVERED: ["gain", "square"],
  FAILED: ["loss", "square"],
  CANCELLED: ["", "square"],
  REFUND_PENDING: ["warn", "ring"],
  REFUNDED: ["", "square"],
  REVERTED: ["loss", "square"],
  WRITTEN_OFF: ["loss", "square"],
  IN_INVENTORY: ["gain"],
  LISTING: ["info", "ring"],
  LISTED: ["info", undefined, "On sale"],
  RESERVED: ["warn", "ring"],
  DELIVERING: ["info", "ring"],
  HELD: ["warn", "ring"],
  SOLD: ["gain", "ring"],
  MISSING: ["loss"],
  DRAFT: ["", "ring"],
  ACTIVE: ["gain"],
  PAUSED: ["warn", "ring"],
  SUSPENDED: ["loss", "ring"],
  CLOSING: ["info", "ring"],
  COMPLETED: ["gain", "square"],
  EXPIRED: ["", "square"],
  ARCHIVED: ["", "square"],
  PROPOSED: ["warn", "ring", "Waits for approval"],
  APPROVED: ["info", "ring"],
  EXECUTING: ["info", "ring"],
  SUCCEEDED: ["gain", "square"],
  DENIED: ["loss", "square"],
  REJECTED: ["", "square"],
  OPEN: ["info", "ring"],
  WORKING: ["info", "ring"],
  WAITING: ["info", "ring"],
  NEEDS_OPERATOR: ["loss", undefined, "Needs you"],
  RESOLVED: ["gain", "square"],
  DISMISSED: ["", "square"],
  NEW: ["", "ring"],
  VALIDATING: ["info", "ring"],
  READY: ["gain"],
  DEGRADED: ["warn"],
  NEEDS_LOGIN: ["loss", undefined, "Needs sign-in"],
  RESTRICTED: ["warn"],
  DISABLED: ["", "square"],
  BANNED: ["loss", "square"],
  REMOVED: ["", "square"],
  INVITED: ["info", "ring"],
  ACCEPTED: ["gain"],
  DECLINED: ["", "square"],
  REVOKED: ["", "square"],
  LEFT: ["", "square"],
  SEND_UNCERTAIN: ["warn", "ring", "Sending unknown"],
  NEEDS_CONFIRMATION: ["warn", "ring"],
  COUNTERED: ["warn"],
  IN_ESCROW: ["warn", "ring"],
  FINAL: ["gain", "square"],
  INVALID: ["loss", "square"],
  INVALID_ITEMS: ["loss", "square"],
  CANCELLED_BY_SECOND_FACTOR: ["", "square"],
  ROLLED_BACK: ["loss", "square"],
  UNKNOWN: ["warn"],
  INFO: ["info"],
  WARNING: ["warn"],
  CRITICAL: ["loss"],
  RETIRED: ["", "ring"],
  DESTROYED: ["", "square"],
  ENABLED: ["gain"],
  CLOSED: ["gain", undefined, "Answers"],
  BREAKER_OPEN: ["loss", undefined, "Cut off"],
  TAKING: ["info", "ring", "Being taken"],
  COMPLETE: ["gain"],
  PARTIAL: ["warn"],
  EXPLAINED: ["gain", "square"],
  MATCHED: ["gain", "square"],
  IGNORED: ["", "square"],
  CHECKED: ["info", "ring", "Ready to apply"],
  APPLYING: ["warn", "ring", "Applied in part"],
  APPLIED: ["gain", "square"],
  BUY: ["gain"],
  SELL: ["gain"],
  SKIP: ["", "square"],
  HOLD: ["", "square"],
};
const look = (name: string): Look => LOOKS[name] ?? [""];
export const wordOf = (name: string | undefined): string => (name ? (look(name)[2] ?? words(name)) : "Unknown");

export function Status({ name = "" }: { name?: string | undefined }) {
  const [tone, shape] = look(name);
  return (
    <span className="badge" data-tone={tone} data-shape={shape}>
      {wordOf(name)}
    </span>
  );
}
export const Badge = ({ tone = "", shape, children }: { tone?: Look[0]; shape?: "ring" | "square"; children: React.ReactNode }) => (
  <span className="badge" data-tone={tone} data-shape={shape}>
    {children}
  </span>
);
