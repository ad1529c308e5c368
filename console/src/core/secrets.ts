const SECRET = /^(code|credential|token|loginName|apiKey|content)$|secret$|password$|passphrase$/i;
/** A request as JSON without what is secret in it: it is shown again on the page. */
export const withoutSecrets = (request: unknown): string =>
  JSON.stringify(request, (key, value: unknown) => (typeof value === "string" && value && SECRET.test(key) ? "…" : value));
