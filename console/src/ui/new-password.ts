import type { Spec } from "./field.tsx";

/** The fewest characters that the server takes; it refuses what is easy to guess as well. */
const FEWEST = 15;
/** A password that is chosen now. */
export const NEW_PASSWORD: Spec = {
  name: "password",
  label: "New password",
  kind: "password",
  autoComplete: "new-password",
  required: true,
  wide: true,
  max: 128,
  hint: `${FEWEST} signs or more. A few words in a row are easier to keep than odd signs.`,
  check: (v) => ([...v].length < FEWEST ? `It has to have ${FEWEST} signs or more.` : undefined),
};
