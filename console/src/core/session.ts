/** Whether a session may be there. Scripts cannot read its cookie; without this note the first call of a new browser would be refused. */
const KEY = "tp.session";
const BEGIN = new Set(["SignIn", "CompleteSignIn", "FinishPasskeySignIn", "FinishLinkedSignIn"]);

/** Calls about the session itself: one that is refused has not met the end of it. */
const OWN = new Set([...BEGIN, "SignOut", "GetCurrentUser"]);

export const session = {
  isOwn: (method: string): boolean => OWN.has(method),
  mayBe: (): boolean => localStorage.getItem(KEY) !== null,
  /** Takes note of an answer that began a session. */
  note: (method: string): void => {
    if (BEGIN.has(method)) localStorage.setItem(KEY, "begun");
  },
  ended: (): void => localStorage.removeItem(KEY),
};
