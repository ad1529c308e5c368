import { useId, useState } from "react";
import { count } from "../../core/format.ts";
import { Button } from "../../ui/button.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Notice } from "../../ui/state.tsx";
import { isEncrypted, pasted, type Chosen } from "./content.ts";
import type { Format } from "./words.ts";

const WAYS = [
  { id: "files", name: "Files" },
  { id: "text", name: "Paste the text" },
];
const size = (bytes: number): string => (bytes < 1024 ? `${count(bytes)} bytes` : `${count(Math.ceil(bytes / 1024))} KiB`);
const read = (list: FileList): Promise<Chosen[]> =>
  Promise.all([...list].map(async (f) => ({ name: f.name, bytes: new Uint8Array(await f.arrayBuffer()) })));

interface Props {
  format: Format;
  files: readonly Chosen[];
  choose: (files: readonly Chosen[]) => void;
  problem: string | undefined;
}
/** What is imported: files of this computer, or text. It is read here and goes to the server with the import, and nowhere else. */
export function Source({ format, files, choose, problem }: Props) {
  const id = useId();
  const [way, setWay] = useState("files");
  const [typed, setTyped] = useState("");
  const [failed, setFailed] = useState("");
  const about = problem || failed ? `${id}h ${id}p` : `${id}h`;
  const other = (next: string) => {
    setWay(next);
    setTyped("");
    choose([]);
  };
  const take = async (list: FileList | null) => {
    setFailed("");
    try {
      choose(list ? await read(list) : []);
    } catch {
      // It was moved or deleted after it was chosen, or is a folder.
      setFailed("A file could not be read. Choose it again.");
    }
  };
  const common = { id, "aria-describedby": about, "aria-invalid": problem ? true : undefined, "aria-required": true } as const;
  return (
    <div className="stack">
      <div>
        <Segments label="How it is given" choices={WAYS} chosen={way} choose={other} />
      </div>
      <div className="field wide">
        <label htmlFor={id}>{way === "files" ? (format.many ? "Files" : "File") : "Text"}</label>
        {way === "files" ? (
          <input {...common} type="file" multiple={format.many} onChange={(e) => void take(e.target.files)} />
        ) : (
          <textarea
            {...common}
            rows={6}
            value={typed}
            spellCheck={false}
            autoComplete="off"
            onChange={(e) => {
              setTyped(e.target.value);
              choose(pasted(e.target.value));
            }}
          />
        )}
        <p className="hint" id={`${id}h`}>
          {format.what} At most 4 MiB and 1,000 rows.
        </p>
        {(problem || failed) && (
          <p className="wrong" id={`${id}p`}>
            {failed || problem}
          </p>
        )}
      </div>
      {way === "files" && files.length > 0 && (
        <ul className="tags" aria-label="Chosen files">
          {files.slice(0, 12).map((f) => (
            <li key={f.name}>
              {f.name} <span className="muted">{size(f.bytes.length)}</span>
            </li>
          ))}
          {files.length > 12 && <li>and {count(files.length - 12)} more</li>}
        </ul>
      )}
      {isEncrypted(files) && !format.sealed && (
        <Notice>The manifest says that these files are encrypted. Choose the format “Folder of .maFile files”.</Notice>
      )}
      {way === "text" && typed !== "" && (
        <p className="row">
          <Button kind="quiet" onPress={() => other("text")}>
            Clear the text
          </Button>
        </p>
      )}
    </div>
  );
}
