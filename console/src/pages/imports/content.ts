import { ImportFormat as F } from "../../gen/trading/v1/import_pb.ts";

/** A chosen file. It has secrets, so it is nowhere but in the memory of the page. */
export interface Chosen {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}
/** The most that the server takes. */
export const MOST_BYTES = 4 * 1024 * 1024;

const text = (file: Chosen): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(file.bytes);
  } catch {
    throw new Error(`${file.name} is not a text`);
  }
};
const isZip = ({ bytes }: Chosen): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
const extension = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";

/** The format that files most likely have, by their names and beginnings; undefined where they say nothing. */
export function guess(files: readonly Chosen[]): F | undefined {
  const [first, ...rest] = files;
  if (!first) return undefined;
  const kinds = new Set(files.map((f) => extension(f.name)));
  if (kinds.has("db")) return F.ASF_DB;
  if (kinds.has("mafile")) return rest.length ? F.MAFILE_BUNDLE : F.MAFILE;
  if (rest.length) return undefined;
  if (kinds.has("csv")) return F.CSV;
  return new TextDecoder().decode(first.bytes.subarray(0, 10)) === "otpauth://" ? F.WINAUTH : undefined;
}
/** Whether the folder's manifest says that its files are encrypted. */
export function isEncrypted(files: readonly Chosen[]): boolean {
  const manifest = files.find((f) => f.name.toLowerCase() === "manifest.json");
  try {
    return Boolean(manifest && (JSON.parse(text(manifest)) as { encrypted?: unknown } | null)?.encrypted);
  } catch {
    return false;
  }
}
/** The content of an import: one file as it is, or several as the format puts them together. */
export function contentOf(format: F, files: readonly Chosen[]): Uint8Array<ArrayBuffer> {
  const [first] = files;
  if (!first) throw new Error("Choose a file, or paste its text");
  const content = joined(format, files, first);
  if (content.length === 0) throw new Error("There is nothing in it");
  if (content.length > MOST_BYTES) throw new Error("It has more than 4 MiB. Import a part of it at a time");
  return content;
}
const PASTED = "pasted text";
/** The endings of the files that a folder of a format consists of. */
const FOLDERS: Partial<Record<F, readonly string[]>> = {
  [F.MAFILE_BUNDLE]: ["mafile", "json"],
  [F.STEAMGUARD_CLI]: ["mafile", "json"],
  [F.ASF_DB]: ["json", "db"],
};
/** A folder is a JSON object of file names and their texts. What else is in it is left out. */
function joined(format: F, files: readonly Chosen[], first: Chosen): Uint8Array<ArrayBuffer> {
  if (files.some(isZip)) throw new Error("A ZIP is not read. Unpack it, and choose the files that were in it");
  const endings = FOLDERS[format];
  const alone = files.length === 1;
  if (!endings) {
    if (!alone) throw new Error("This format is one file: choose it alone");
    return first.bytes;
  }
  // One file may be the object of names itself, made elsewhere; steamguard-cli keeps an account in one.
  if (alone && (format === F.STEAMGUARD_CLI || extension(first.name) === "json" || first.name === PASTED)) return first.bytes;
  const kept = files.filter((f) => endings.includes(extension(f.name)));
  if (kept.length === 0)
    throw new Error(`None of these files ends in ${endings.map((e) => `.${e === "mafile" ? "maFile" : e}`).join(" or ")}`);
  return new TextEncoder().encode(JSON.stringify(Object.fromEntries(kept.map((f) => [f.name, text(f)]))));
}
/** Text that was pasted, as a file. */
export const pasted = (value: string): Chosen[] => (value.trim() ? [{ name: PASTED, bytes: new TextEncoder().encode(value) }] : []);
/** What to call an import of these files, unless the person says it. */
export const nameFor = (files: readonly Chosen[]): string =>
  (files.length > 1 ? `${files.length} files` : (files[0]?.name ?? "")).slice(0, 64);
