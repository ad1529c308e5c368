import { useState } from "react";
import { base64 } from "../core/ids.ts";
import { place } from "../core/place.ts";
import { lastCalls, type Said } from "../core/transport.ts";
import { Copy } from "../ui/copy.tsx";
import Window from "../ui/dialog.tsx";
import { Segments } from "../ui/segments.tsx";
import { Empty } from "../ui/state.tsx";

const LANGUAGES = [
  { id: "curl", name: "curl" },
  { id: "python", name: "Python" },
  { id: "ts", name: "TypeScript" },
  { id: "rust", name: "Rust" },
];
const indent = (body: string, by: string) => JSON.stringify(JSON.parse(body), null, 2).replaceAll("\n", `\n${by}`);
const escaped = (c: string) => [...Array(c.length).keys()].map((i) => `\\u${c.charCodeAt(i).toString(16).padStart(4, "0")}`).join("");
/** JSON whose texts are written the same way in a shell, in Python and in TypeScript: no quote of a shell, and no sign that is not seen. */
const plain = (json: string) => json.replaceAll("'", "\\u0027").replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);
/** A raw text of Rust, with as many signs around it that nothing inside ends it. The macro `json!` would not compile for a long list. */
const rawText = (text: string) => {
  const signs = "#".repeat(1 + [...text.matchAll(/"(#*)/g)].reduce((most, [, found]) => Math.max(most, found!.length), 0));
  return `r${signs}"${text}"${signs}`;
};
/** The call with a key of the environment in place of the session, so that it works outside of the browser. */
export function write(s: Said, language: string): string {
  const body = plain(s.body),
    url = `${location.origin}/${s.service}/${s.method}`,
    space = base64(place.workspaceId);
  switch (language) {
    case "curl":
      return `curl '${url}' \\\n  -H "authorization: Bearer $TRADEPOST_KEY" \\\n  -H 'content-type: application/json' \\\n  -d '${body}'`;
    case "python":
      return `import json, os, urllib.request\n\nrequest = urllib.request.Request(\n    ${JSON.stringify(url)},\n    data=json.dumps(json.loads(${JSON.stringify(body)})).encode(),\n    headers={"authorization": f"Bearer {os.environ['TRADEPOST_KEY']}", "content-type": "application/json"},\n)\nprint(json.load(urllib.request.urlopen(request)))`;
    case "ts":
      return `const answer = await fetch(${JSON.stringify(url)}, {\n  method: "POST",\n  headers: { authorization: \`Bearer \${process.env.TRADEPOST_KEY}\`, "content-type": "application/json" },\n  body: JSON.stringify(${plain(indent(s.body, "  "))}),\n});\nconsole.log(await answer.json());`;
    default:
      return `// reqwest with the feature "json", and serde_json; the workspace is ${space}\nlet answer: serde_json::Value = reqwest::Client::new()\n    .post(${JSON.stringify(url)})\n    .bearer_auth(std::env::var("TRADEPOST_KEY")?)\n    .header("content-type", "application/json")\n    .body(${rawText(plain(indent(s.body, "    ")))})\n    .send()\n    .await?\n    .error_for_status()?\n    .json()\n    .await?;\nprintln!("{answer}");`;
  }
}
/** Every page is made of calls that a program can make too. */
export default function CopyAs({ close }: { close: () => void }) {
  const [language, setLanguage] = useState("curl");
  const [at, setAt] = useState(0);
  const [calls] = useState(() => [...lastCalls()]);
  const call = calls[at];
  const text = call ? write(call, language) : "";
  return (
    <Window title="The calls of this page" close={close} wide>
      {!call ? (
        <Empty icon="code" title="This page has made no call yet." />
      ) : (
        <>
          <div className="prose">
            <p>
              What this page asked for, for a program of yours. It needs an API key in <code className="mono">TRADEPOST_KEY</code>; the
              session of the browser is not part of it.
            </p>
          </div>
          <span className="field">
            <select aria-label="Call" value={at} onChange={(e) => setAt(Number(e.target.value))}>
              {calls.map((c, i) => (
                <option key={i} value={i}>
                  {c.method}
                </option>
              ))}
            </select>
          </span>
          <Segments label="Language" choices={LANGUAGES} chosen={language} choose={setLanguage} />
          <pre className="code" tabIndex={0} aria-label="The call as a program">
            {text}
          </pre>
          <footer>
            <Copy text={text} kind="primary" />
          </footer>
        </>
      )}
    </Window>
  );
}
