import { useRef, useState, type FormEvent } from "react";
import { useLocation } from "wouter";
import { useAccountChoices } from "../../core/accounts.ts";
import { read, show } from "../../core/ids.ts";
import { refresh } from "../../core/queries.ts";
import { createImport } from "../../gen/trading/v1/import_calls.ts";
import { ImportFormat as F, ImportKind } from "../../gen/trading/v1/import_pb.ts";
import { Button } from "../../ui/button.tsx";
import { Card, Head } from "../../ui/card.tsx";
import { Fields, firstProblem, type Spec, type Values } from "../../ui/field.tsx";
import { Failed, Notice } from "../../ui/state.tsx";
import { useUnsaved } from "../../ui/unsaved.tsx";
import { CAPS, capabilitiesOf, LIMITS, limitsOf } from "../accounts/fields.ts";
import { contentOf, guess, isEncrypted, nameFor, type Chosen } from "./content.ts";
import { Source } from "./source.tsx";
import { FORMAT_ORDER, formatOf, IMPORTS } from "./words.ts";

/** Opening an encrypted file takes the server many milliseconds, and there may be 200. */
const PATIENCE = 29_000;
const START: Values = { format: String(F.MAFILE_BUNDLE), caps: "1\n2\n3" };
const formatIn = (v: Values): F => Number(v.format) as F;
const FORMAT: Spec = {
  name: "format",
  label: "Format",
  kind: "select",
  wide: true,
  options: FORMAT_ORDER.map((f) => [String(f), formatOf(f).name] as const),
};
const passphrase = (needed: boolean): Spec => ({
  name: "passphrase",
  label: "Passphrase",
  kind: "password",
  autoComplete: "new-password",
  wide: true,
  required: needed,
  max: 1024,
  hint: "Opens the files once. It is not stored.",
  when: (v) => formatOf(formatIn(v)).sealed,
});
const name = (files: readonly Chosen[]): Spec => ({
  name: "name",
  label: "Name of the import",
  wide: true,
  max: 64,
  placeholder: nameFor(files),
  hint: "Shown in the list of imports.",
});
const given = (groups: readonly (readonly [string, string])[]): readonly Spec[] => [
  { name: "group", label: "Group", kind: "select", wide: true, options: [["", "None"], ...groups] },
  CAPS,
  ...LIMITS,
  {
    name: "login",
    label: "Name an account after its login name, if the file gives it no name",
    kind: "check",
    hint: "The login name is then shown on purchases and in messages. Otherwise the account is named after its number.",
  },
];
/** What a form says of an import. The content is put together from the files, which stay on this page. */
const requestOf = (v: Values, files: readonly Chosen[]) => ({
  kind: ImportKind.ACCOUNTS,
  format: formatIn(v),
  content: contentOf(formatIn(v), files),
  ...(formatOf(formatIn(v)).sealed && v.passphrase ? { passphrase: v.passphrase } : {}),
  ...(v.name?.trim() || nameFor(files) ? { name: v.name?.trim() || nameFor(files) } : {}),
  defaults: {
    accountGroupId: v.group ? read(v.group) : new Uint8Array(),
    limits: limitsOf(v),
    capabilities: capabilitiesOf(v),
    nameAfterLogin: v.login === "yes",
  },
});
/** What is wrong with the files, or undefined. */
function wrongWith(v: Values, files: readonly Chosen[]): string | undefined {
  try {
    contentOf(formatIn(v), files);
    return undefined;
  } catch (e) {
    return `${(e as Error).message}.`;
  }
}
/** Accounts of another program: read and checked first, so that one sees what would come of it. */
export default function NewImport() {
  const [, go] = useLocation();
  const { choices } = useAccountChoices();
  const [values, setValues] = useState<Values>(START);
  const [files, setFiles] = useState<readonly Chosen[]>([]);
  const [wantsAll, setWantsAll] = useState(false);
  const [chose, setChose] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const form = useRef<HTMLFormElement>(null);
  const typed = files.length > 0 || JSON.stringify(values) !== JSON.stringify(START);
  const question = useUnsaved(typed && !busy);
  const set = (n: string, v: string) => setValues((o) => ({ ...o, [n]: v }));
  // What the files look like counts until the person has chosen a format.
  const take = (next: readonly Chosen[]) => {
    setFiles(next);
    const found = guess(next);
    if (found !== undefined && !chose) set("format", String(found));
  };
  const chooseFormat = (n: string, v: string) => {
    setChose(true);
    set(n, v);
  };
  const about = [passphrase(isEncrypted(files)), name(files)];
  const rest = given(choices.filter(([k]) => k.startsWith("g:")).map(([k, n]) => [k.slice(2), n.replace(/^Group /, "")] as const));
  const wrong = wrongWith(values, files);
  const submit = async (e: FormEvent) => {
    e.preventDefault();
    setWantsAll(true);
    setError(undefined);
    if (busy) return;
    if (wrong || firstProblem([...about, ...rest], values)) {
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus());
      return;
    }
    setBusy(true);
    try {
      const { importRecord } = await createImport(requestOf(values, files), { timeoutMs: PATIENCE });
      void refresh(...IMPORTS);
      go(`/imports/${show(importRecord?.id)}`);
    } catch (x) {
      setError(x);
      setBusy(false);
    }
  };
  return (
    <>
      <Head
        title="Import accounts"
        note="Reads accounts that another program keeps. Nothing is created before you see what would be."
        back={["/imports", "Imports"]}
      />
      <div className="stack">
        <Before />
        <form ref={form} onSubmit={(e) => void submit(e)} noValidate className="split">
          <div className="stack">
            <Card title="What is imported">
              <div className="stack">
                <Fields specs={[FORMAT]} values={values} set={chooseFormat} show={wantsAll} />
                <Source
                  format={formatOf(formatIn(values))}
                  files={files}
                  choose={take}
                  problem={wantsAll || files.length ? wrong : undefined}
                />
                <Fields specs={about} values={values} set={set} show={wantsAll} />
              </div>
            </Card>
            <Card title="What each new account gets" note="An account that is there already keeps what it has">
              <Fields specs={rest} values={values} set={set} show={wantsAll} />
            </Card>
            {error !== undefined && <Failed error={error} />}
            <div className="row">
              <Button type="submit" kind="primary" isPending={busy}>
                {busy ? "Reading…" : "Read and check"}
              </Button>
              <span className="muted">Nothing is created yet</span>
            </div>
          </div>
          <After />
          {question}
        </form>
      </div>
    </>
  );
}
/** What a person has to know before secrets leave the other program: above the form, also on a telephone. */
const Before = () => (
  <Notice>
    <b>The authenticator and the password in one place.</b> A person who gets this server and its root secret gets the items of every
    account. Encrypt its disk, keep the root secret elsewhere, and let only your own network reach it.
  </Notice>
);
const After = () => (
  <Card title="What happens to the files" className="sticky">
    <div className="prose">
      <p>They go to this server alone. The secrets are sealed with the workspace's key and are in no answer.</p>
      <p>An import that is not applied within an hour expires, and what it read is destroyed.</p>
      <p>Two programs with one authenticator disturb each other. Stop the other program before an account trades here.</p>
    </div>
  </Card>
);
