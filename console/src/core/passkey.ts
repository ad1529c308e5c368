/** Signs with a passkey. The options come from the server as JSON; the browser reads and writes that form itself. */
export async function signWithPasskey(options: string): Promise<string> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(options).publicKey);
  return JSON.stringify(await navigator.credentials.get({ publicKey }));
}
export async function makePasskey(options: string): Promise<string> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(options).publicKey);
  return JSON.stringify(await navigator.credentials.create({ publicKey }));
}
export const passkeysPossible = (): boolean => isSecureContext && typeof PublicKeyCredential === "function";
/** The person closed the browser's window, or had no passkey for this server. */
export const passkeyRefused = (e: unknown): boolean =>
  e instanceof DOMException && ["NotAllowedError", "AbortError", "InvalidStateError"].includes(e.name);
export const deviceToken = {
  get: (): string => localStorage.getItem("tp.device") ?? "",
  set: (token: string | undefined): void => {
    if (token) localStorage.setItem("tp.device", token);
  },
};
