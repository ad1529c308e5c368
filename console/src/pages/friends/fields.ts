import type { Spec } from "../../ui/field.tsx";

/** The choice of an account, where the page is not of one. */
export const accountField = (accounts: readonly (readonly [string, string])[], hint?: string): Spec => ({
  name: "account",
  label: "Account",
  kind: "select",
  required: true,
  wide: true,
  options: accounts,
  ...(hint ? { hint } : {}),
});
export const PARTNER: Spec = {
  name: "partner",
  label: "Their number at the platform",
  required: true,
  wide: true,
  max: 20,
  placeholder: "76561190000000001",
  check: (t) => (/^\d{1,20}$/.test(t) ? undefined : "A number of the platform has digits only."),
};
export const NOTE: Spec = {
  name: "note",
  label: "Note",
  wide: true,
  max: 512,
  hint: "For people of the workspace. The other account does not see it.",
};
/** The most characters of a message that is sent. */
export const MOST_SENT = 2_000;
export const TEXT: Spec = {
  name: "text",
  label: "Text",
  kind: "area",
  required: true,
  max: MOST_SENT,
  hint: "Plain text: markup is removed.",
};
