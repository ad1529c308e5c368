import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";

const BYTES = 16;

/** Returns the text of an id as the server's JSON has it: base64. */
export function formatId(id: Uint8Array): string {
  return base64Encode(id);
}

/**
 * Returns the id of a text in base64.
 *
 * @throws RangeError when it is not the text of 16 bytes.
 */
export function parseId(text: string): Uint8Array<ArrayBuffer> {
  let id: Uint8Array<ArrayBuffer> | undefined;
  try {
    id = base64Decode(text);
  } catch (cause) {
    throw new RangeError(`not an id in base64: "${text}"`, { cause });
  }
  if (id.length !== BYTES) {
    throw new RangeError(`not an id of ${BYTES} bytes: "${text}"`);
  }
  return id;
}
