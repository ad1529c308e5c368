import { beginAccountLink, beginLinkedSignIn } from "../gen/accounts/v1/account_link_calls.ts";
import { LinkProvider as P } from "../gen/accounts/v1/account_link_pb.ts";

export const PLATFORMS: Record<P, string> = { [P.UNSPECIFIED]: "another platform", [P.DISCORD]: "Discord", [P.STEAM]: "Steam" };
/** Where the other platform sends the browser back to. The operator allows it in `linking.redirect_uris`. */
export const returnAddress = (): string => `${location.origin}/linked`;
export const RETURN = /^\/linked\/?$/;

type Purpose = "sign-in" | "link";
interface Begun {
  linkId: string;
  provider: P;
  purpose: Purpose;
}
// Of this tab alone: another tab cannot finish what this one began.
const KEY = "tp.link";

/** Sends the browser to the other platform. */
export async function leaveFor(provider: P, purpose: Purpose): Promise<void> {
  const request = { provider, redirectUri: returnAddress() };
  const a = await (purpose === "link" ? beginAccountLink(request) : beginLinkedSignIn(request));
  const to = new URL(a.authorizationUrl ?? "");
  if (!/^https?:$/.test(to.protocol)) throw new Error(`The server named ${to.protocol} as the address of ${PLATFORMS[provider]}.`);
  sessionStorage.setItem(KEY, JSON.stringify({ linkId: a.linkId ?? "", provider, purpose } satisfies Begun));
  location.assign(to);
}

export interface Returned {
  provider: P;
  answer: { linkId: string; state: string; code: string; iss: string; openIdParams: string };
}
/** What the browser came back with, once; an error says why there is nothing to finish. */
export function comeBack(purpose: Purpose): Returned {
  const query = location.search.slice(1);
  const said = new URLSearchParams(query);
  const begun = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Begun | null;
  sessionStorage.removeItem(KEY);
  // The address has a code that works once: it does not stay in the history.
  history.replaceState(null, "", location.pathname);
  if (begun?.purpose !== purpose) throw new Error("It was not begun in this tab, or is over. Begin again.");
  const platform = PLATFORMS[begun.provider];
  if (said.has("error") || said.get("openid.mode") === "cancel") throw new Error(`${platform} did not confirm it. Nothing was changed.`);
  const steam = begun.provider === P.STEAM;
  return {
    provider: begun.provider,
    answer: {
      linkId: begun.linkId,
      state: said.get("state") ?? "",
      code: steam ? "" : (said.get("code") ?? ""),
      iss: steam ? "" : (said.get("iss") ?? ""),
      openIdParams: steam ? query : "",
    },
  };
}
