// The states of a page that a demo does not have by itself: made from the answers of its server before the browser gets them.
import { settled } from "./run.mjs";

/** Answers that the console needs to show any page at all. They stay as they are in every state. */
const ALWAYS = /\/(GetCurrentUser|ListWorkspaces|GetEffectivePermissions|GetServerInfo|SignIn|CompleteSignIn|SignOut)$/;
const fault = (status, code, message, headers = {}) => ({
  status,
  contentType: "application/json",
  headers: { "x-request-id": "01J9Z3K7Q5W8X2V4B6N8M0C1D3", ...headers },
  body: JSON.stringify({ code, message }),
});
const FAULTS = {
  denied: fault(403, "permission_denied", "the policies of this role do not allow the operation"),
  busy: fault(429, "resource_exhausted", "too many calls", { "retry-after": "1", "x-error-reason": "RATE_LIMITED" }),
  broken: fault(500, "internal", "internal error"),
};

/** No list has a record, no count is above zero. The record of a page that shows one is still there. */
function emptied(method, answer) {
  if (/^(List|Count|Search)/.test(method) || method === "WatchTransitions") {
    return Object.fromEntries(Object.entries(answer).filter(([, v]) => !Array.isArray(v) && typeof v !== "number"));
  }
  if (/ProfitAndLoss|EquitySeries|Capital|OrderBook|PriceHistory|Usage/.test(method)) {
    const { workspaceId } = answer;
    return workspaceId ? { workspaceId } : {};
  }
  return answer;
}

const LONG = [
  "StatTrak™ Souvenir M4A1-S | Imminent Danger",
  "★ StatTrak™ Skeleton Knife | Case Hardened",
  "Longest-imaginable-name-without-any-space",
];
const CENTS = ["98765432199", "0", "-98765432199", undefined];
/** Names of 40 signs and more, amounts of nine digits, zero, negative and unknown ones, in turn. */
function odd(value, at = { n: 0 }) {
  if (Array.isArray(value)) return value.map((v) => odd(v, at));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, v]) => {
        if (typeof v === "string" && /Cents$/.test(key)) return [key, CENTS[at.n++ % CENTS.length]];
        if (typeof v === "string" && /^(name|displayName|marketHashName|accountName|marketplace|description)$/.test(key))
          return [key, LONG[at.n++ % LONG.length]];
        return [key, odd(v, at)];
      })
      .filter(([, v]) => v !== undefined),
  );
}
const CHANGES = { empty: emptied, odd: (_method, answer) => odd(answer) };
export const STATES = ["full", "empty", "odd", "loading", "slow", ...Object.keys(FAULTS), "lost"];

/** From now on the pages of the context are in this state. Load a page again afterwards: what was answered before is kept. */
export async function setState(context, state) {
  await context.unrouteAll({ behavior: "ignoreErrors" });
  if (state === "full") return;
  await context.route(/\/[a-z]+\.v1\.[A-Za-z]+\/[A-Za-z]+$/, async (route) => {
    const path = new URL(route.request().url()).pathname;
    if (ALWAYS.test(path)) return route.continue();
    if (state === "loading" || state === "slow") return;
    if (state === "lost") return route.abort("connectionrefused");
    if (FAULTS[state]) return route.fulfill(FAULTS[state]);
    try {
      const answer = await route.fetch();
      const body = answer.ok() ? CHANGES[state](path.split("/").at(-1), await answer.json()) : await answer.json();
      await route.fulfill({ response: answer, json: body });
    } catch {
      // The page went on to another one and waits no longer.
      await route.abort().catch(() => {});
    }
  });
}
/** Loads a page in a state and waits until it shows it. One that does not fails the run: another state would be looked at. */
export async function showIn(page, url, state) {
  await page.goto(url, { timeout: 90_000 });
  // The file of the page is there once its heading is.
  await page.locator("main h1").first().waitFor();
  if (["loading", "slow", "busy", "lost"].includes(state)) await page.waitForTimeout(600);
  if (state === "slow") {
    // One line that is awaited has no room for the sentence, and a page that asks for nothing is not slow.
    if (await page.locator('main [role="status"]:has(.skel + .skel)').count())
      await page.getByText("The server is slow.").waitFor({ timeout: 10_000 });
  } else if (state === "busy" || state === "lost") {
    // The console asks three times again before it says so. A page that asks for nothing, such as the one of the look, has nothing to say.
    if (await page.locator("main :is(.skel, .notice)").count()) await page.locator("main .notice").first().waitFor({ timeout: 30_000 });
  }
  if (state !== "loading" && state !== "slow") await settled(page);
}
