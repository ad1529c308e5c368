/** Ids are 16 bytes. In addresses of pages and in keys of queries they are base64url. */
export const show = (id: Uint8Array | undefined): string =>
  id
    ? btoa(String.fromCharCode(...id))
        .replaceAll("+", "-")
        .replaceAll("/", "_")
        .replaceAll("=", "")
    : "";

/** Reads an id of an address. A text that is none gives no bytes, which the server answers with "not found". */
export function read(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

/** An id as in the database and in the logs. */
export const uuid = (id: Uint8Array): string =>
  [...id]
    .map((b) => b.toString(16).padStart(2, "0"))
    .join("")
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");

/** The standard base64 of an id, as the server's JSON has it. */
export const base64 = (id: Uint8Array): string => btoa(String.fromCharCode(...id));

/** The last signs of an id: enough for a person to distinguish two. */
export const short = (id: Uint8Array | undefined): string => show(id).slice(-8);
