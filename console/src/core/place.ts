/** The workspace in which the person works, and what the person may do there. Set once by the gate, before any page is shown. */
export interface Place {
  workspaceId: Uint8Array<ArrayBufferLike>;
  name: string;
  currency: string;
  /** Where the people of the workspace count days. */
  timeZone: string;
  email: string;
  person: string;
  userId: Uint8Array<ArrayBufferLike>;
  operations: ReadonlySet<string>;
  role: number;
}

export const place: Place = {
  workspaceId: new Uint8Array(),
  name: "",
  currency: "USD",
  timeZone: "UTC",
  email: "",
  person: "",
  userId: new Uint8Array(),
  operations: new Set(),
  role: 0,
};

const KEY = "tp.workspace";
export const lastWorkspace = (): string => localStorage.getItem(KEY) ?? "";
export const rememberWorkspace = (id: string): void => localStorage.setItem(KEY, id);

/** The workspace that the address names, as the links of alerts do. */
export const namedWorkspace = (): string | null => new URLSearchParams(location.search).get("workspace");
/** Takes it out of the address: from then on the page is one of the workspace that was entered. */
export function forgetNamedWorkspace(): void {
  const asked = new URLSearchParams(location.search);
  asked.delete("workspace");
  history.replaceState(history.state, "", location.pathname + (asked.size ? `?${asked}` : ""));
}
