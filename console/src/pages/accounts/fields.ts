import { decimal, parseCents, parseWhole } from "../../core/format.ts";
import { AccountCapability as C, type Account } from "../../gen/trading/v1/account_pb.ts";
import type { Spec, Values } from "../../ui/field.tsx";

export const CAPABILITIES: Record<C, string> = { [C.UNSPECIFIED]: "–", [C.BUY]: "buy", [C.SELL]: "sell", [C.STORE]: "keep items" };
export const CAPS: Spec = {
  name: "caps",
  label: "It may",
  kind: "checks",
  options: [C.BUY, C.SELL, C.STORE].map((c) => [String(c), CAPABILITIES[c]] as const),
};
const TOKEN: Spec = { name: "token", label: "Trade token", max: 64, hint: "From its trade address, so that sellers can send offers." };
export const BASICS: Spec[] = [
  { name: "name", label: "Name", required: true, max: 64 },
  { name: "platform", label: "Platform", required: true, max: 64, placeholder: "simulator" },
  { name: "user", label: "Its id at the platform", required: true, max: 64 },
  TOKEN,
  CAPS,
];
const STRANGE: Spec = {
  name: "strange",
  label: "Offers from elsewhere",
  kind: "select",
  options: [
    ["cancel", "Report and cancel them"],
    ["keep", "Report them only"],
  ],
  hint: "Offers that give its items and were not sent from here.",
};
export const CHANGES: Spec[] = [TOKEN, CAPS, STRANGE];
export const LIMITS: Spec[] = [
  { name: "inventory", label: "Items at most", kind: "whole" },
  { name: "open", label: "Open purchases at most", kind: "whole" },
  { name: "balance", label: "Balance to keep", kind: "money", hint: "Nothing is bought below it." },
];
export const GIVING: Spec[] = [
  { name: "perHour", label: "Gives within an hour at most", kind: "money", hint: "By value. Empty for no limit." },
  { name: "perDay", label: "Gives within 24 h at most", kind: "money", hint: "By value. Empty for no limit." },
];
export const SECRETS: Spec[] = [
  { name: "login", label: "Login name", autoComplete: "off", max: 256 },
  { name: "password", label: "Password", kind: "password", autoComplete: "new-password", max: 256 },
  { name: "shared", label: "Shared secret", kind: "password", autoComplete: "new-password", hint: "Makes the codes of its authenticator." },
  { name: "identity", label: "Identity secret", kind: "password", autoComplete: "new-password", hint: "Confirms its trades." },
  { name: "api", label: "API key", kind: "password", autoComplete: "new-password" },
];
export const capabilitiesOf = (v: Values): C[] => (v.caps ?? "").split("\n").filter(Boolean).map(Number);
export const limitsOf = (v: Values) => ({
  maxInventory: v.inventory ? parseWhole(v.inventory) : undefined,
  maxOpenPurchases: v.open ? parseWhole(v.open) : undefined,
  minBalanceCents: v.balance ? parseCents(v.balance) : undefined,
});
const givingOf = (v: Values) => ({
  maxGiveCentsPerHour: v.perHour ? parseCents(v.perHour) : undefined,
  maxGiveCentsPerDay: v.perDay ? parseCents(v.perDay) : undefined,
});
/** The limits of a new account. A request without them accepts a second factor that is older than 2 min. */
export const newGivingOf = (v: Values) => {
  const givingLimits = givingOf(v);
  return Object.values(givingLimits).some((cents) => cents !== undefined) ? { givingLimits } : {};
};
/** The limits from now on: a limit that is left as the page shows it is the one that the account has by now. */
export const givingOver = (shown: Account, v: Values, now: Account) => {
  const [was, is] = [givingStartOf(shown), givingStartOf(now)];
  const over = (name: string) => (v[name] === was[name] ? is[name] : v[name]) ?? "";
  return givingOf({ perHour: over("perHour"), perDay: over("perDay") });
};
export const secretsOf = (v: Values) =>
  ["login", "password", "shared", "identity", "api"].some((k) => v[k])
    ? {
        secrets: {
          ...(v.login ? { loginName: v.login } : {}),
          ...(v.password ? { password: v.password } : {}),
          ...(v.shared ? { sharedSecret: v.shared } : {}),
          ...(v.identity ? { identitySecret: v.identity } : {}),
          ...(v.api ? { apiKey: v.api } : {}),
        },
      }
    : {};
/** Whether such offers are cancelled from now on, if that changes: keeping them asks for a second factor. */
export const strangeOf = (a: Account, v: Values) => {
  const cancelStrangeOffers = v.strange !== "keep";
  return cancelStrangeOffers === (a.cancelStrangeOffers ?? true) ? {} : { cancelStrangeOffers };
};
export const startOf = (a: Account): Values => ({
  token: a.tradeToken ?? "",
  strange: a.cancelStrangeOffers === false ? "keep" : "cancel",
  caps: a.capabilities.join("\n"),
  inventory: String(a.limits?.maxInventory ?? ""),
  open: String(a.limits?.maxOpenPurchases ?? ""),
  balance: a.limits?.minBalanceCents === undefined ? "" : decimal(a.limits.minBalanceCents),
});
export const givingStartOf = (a: Account): Values => {
  const [hour, day] = [a.givingLimits?.maxGiveCentsPerHour, a.givingLimits?.maxGiveCentsPerDay];
  return { perHour: hour === undefined ? "" : decimal(hour), perDay: day === undefined ? "" : decimal(day) };
};
