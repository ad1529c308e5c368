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
    throw new Error(`${file.name} is no text`);
  }
};
const json = (file: Chosen): unknown => {
  try {
    return JSON.parse(text(file)) as unknown;
  } catch {
    throw new Error(`${file.name} is no JSON`);
  }
};
const bytesOf = (value: unknown): Uint8Array<ArrayBuffer> => new TextEncoder().encode(JSON.stringify(value));
const isZip = ({ bytes }: Chosen): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
const isManifest = ({ name }: Chosen): boolean => name.toLowerCase() === "manifest.json";
const extension = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";

/** The format that files most likely have, by their names and beginnings; undefined where they say nothing. */
export function guess(files: readonly Chosen[]): F | undefined {
  const [first, ...rest] = files;
  if (!first) return undefined;
  const kinds = new Set(files.map((f) => extension(f.name)));
  if (kinds.has("db")) return F.ASF_DB;
  if (kinds.has("mafile") || isZip(first)) return rest.length || isZip(first) ? F.MAFILE_BUNDLE : F.MAFILE;
  if (rest.length) return undefined;
  if (kinds.has("csv")) return F.CSV;
  return new TextDecoder().decode(first.bytes.subarray(0, 10)) === "otpauth://" ? F.WINAUTH : undefined;
}
/** Whether the folder's manifest says that its files are encrypted. */
export function isEncrypted(files: readonly Chosen[]): boolean {
  const manifest = files.find(isManifest);
  try {
    return Boolean(manifest && (json(manifest) as { encrypted?: unknown } | null)?.encrypted);
  } catch {
    return false;
  }
}
/** Each bot of ArchiSteamFarm with what is in its two files. What belongs to no bot is left out. */
function bots(files: readonly Chosen[]): unknown {
  const found: Record<string, { config?: unknown; database?: unknown }> = {};
  for (const file of files) {
    const name = file.name.replace(/\.[^.]+$/, "");
    const kind = extension(file.name);
    if (name.toUpperCase() === "ASF" || (kind !== "json" && kind !== "db")) continue;
    found[name] = { ...found[name], [kind === "db" ? "database" : "config"]: json(file) };
  }
  return found;
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
function joined(format: F, files: readonly Chosen[], first: Chosen): Uint8Array<ArrayBuffer> {
  const alone = files.length === 1;
  switch (format) {
    case F.MAFILE_BUNDLE:
      // A ZIP, or an object of names that was made elsewhere.
      return alone && extension(first.name) !== "mafile" ? first.bytes : bytesOf(Object.fromEntries(files.map((f) => [f.name, text(f)])));
    case F.STEAMGUARD_CLI: {
      const accounts = files.filter((f) => !isManifest(f));
      return alone ? first.bytes : bytesOf(accounts.map(json));
    }
    case F.ASF_DB:
      return alone && extension(first.name) !== "db" ? first.bytes : bytesOf(bots(files));
    default:
      if (!alone) throw new Error("This format is one file: choose it alone");
      return first.bytes;
  }
}
/** Text that was pasted, as a file. */
export const pasted = (value: string): Chosen[] => (value.trim() ? [{ name: "pasted", bytes: new TextEncoder().encode(value) }] : []);
/** What to call an import of these files, unless the person says it. */
export const nameFor = (files: readonly Chosen[]): string =>
  (files.length > 1 ? `${files.length} files` : (files[0]?.name ?? "")).slice(0, 64);
