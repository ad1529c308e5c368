import { useRef, useState, type FormEvent } from "react";
import { useLocation } from "wouter";
import { useAccountChoices } from "../../core/accounts.ts";
import { read, show } from "../../core/ids.ts";
import { sender } from "../../core/keys.ts";
import { refresh } from "../../core/queries.ts";
import { createImport } from "../../gen/trading/v1/import_calls.ts";
import { ImportFormat as F, ImportKind as K } from "../../gen/trading/v1/import_pb.ts";
import { Button } from "../../ui/button.tsx";
import { Card, Head } from "../../ui/card.tsx";
import { Fields, firstProblem, type Spec, type Values } from "../../ui/field.tsx";
import { Failed, Notice } from "../../ui/state.tsx";
import { useUnsaved } from "../../ui/unsaved.tsx";
import { CAPS, capabilitiesOf, LIMITS, limitsOf } from "../accounts/fields.ts";
import { contentOf, guess, isEncrypted, nameFor, type Chosen } from "./content.ts";
import { Source } from "./source.tsx";
import { FORMAT_ORDER, formatFor, formatOf, HOLDING_FORMATS, IMPORTS, isOfAccounts } from "./words.ts";

/** Opening an encrypted file takes the server many milliseconds, and there may be 200. */
const PATIENCE = 29_000;
const START: Values = { kind: String(K.ACCOUNTS), format: String(F.MAFILE_BUNDLE), caps: "1\n2\n3" };
const formatIn = (v: Values): F => Number(v.format) as F;
const kindIn = (v: Values): K => Number(v.kind) as K;
const formatsOf = (k: K): readonly F[] => (isOfAccounts(k) ? FORMAT_ORDER : HOLDING_FORMATS);
const KIND: Spec = {
  name: "kind",
  label: "What it brings",
  kind: "select",
  wide: true,
  options: [
    [String(K.ACCOUNTS), "Accounts with their secrets"],
    [String(K.HOLDINGS), "Items that accounts hold already"],
    [String(K.PURCHASES), "Purchases that were made elsewhere"],
    [String(K.SALES), "Sales that were made elsewhere"],
  ],
};
type About = readonly [title: string, note: string];
const OF_ACCOUNTS: About = [
  "Import accounts",
  "Reads accounts that another program keeps. Nothing is created before you see what would be.",
];
/** What the page says of what it imports, unless that is accounts. */
const ABOUT: Partial<Record<K, About>> = {
  [K.HOLDINGS]: ["Import holdings", "Reads a table of items that accounts hold already. Nothing is created before you see what would be."],
  [K.PURCHASES]: [
    "Import purchases",
    "Reads a table of purchases that were made elsewhere. Nothing is created before you see what would be.",
  ],
  [K.SALES]: ["Import sales", "Reads a table of sales that were made elsewhere. Nothing is changed before you see what would be."],
};
const format = (k: K): Spec => ({
  name: "format",
  label: "Format",
  kind: "select",
  wide: true,
  options: formatsOf(k).map((f) => [String(f), formatOf(f).name] as const),
});
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
  kind: kindIn(v),
  format: formatIn(v),
  content: contentOf(formatIn(v), files),
  ...(formatOf(formatIn(v)).sealed && v.passphrase ? { passphrase: v.passphrase } : {}),
  ...(v.name?.trim() || nameFor(files) ? { name: v.name?.trim() || nameFor(files) } : {}),
  ...(!isOfAccounts(kindIn(v))
    ? {}
    : {
        defaults: {
          accountGroupId: v.group ? read(v.group) : new Uint8Array(),
          limits: limitsOf(v),
          capabilities: capabilitiesOf(v),
          nameAfterLogin: v.login === "yes",
        },
      }),
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
/** Accounts of another program, or what accounts hold: read and checked first, so that one sees what would come of it. */
export default function NewImport() {
  const [, go] = useLocation();
  const { choices } = useAccountChoices();
  const [values, setValues] = useState<Values>(START);
  const [files, setFiles] = useState<readonly Chosen[]>([]);
  const [wantsAll, setWantsAll] = useState(false);
  const [chose, setChose] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [send] = useState(sender<void>);
  // How often files were chosen: others make another request of the same values.
  const [choice, setChoice] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const typed = files.length > 0 || JSON.stringify(values) !== JSON.stringify(START);
  const question = useUnsaved(typed && !busy);
  const set = (n: string, v: string) => setValues((o) => ({ ...o, [n]: v }));
  const kind = kindIn(values);
  const ofAccounts = isOfAccounts(kind);
  const [title, note] = ABOUT[kind] ?? OF_ACCOUNTS;
  // What the files look like counts until the person has chosen a format.
  const take = (next: readonly Chosen[]) => {
    setFiles(next);
    setChoice((n) => n + 1);
    const found = guess(next);
    if (found !== undefined && !chose && formatsOf(kind).includes(found)) set("format", String(found));
  };
  const chooseKind = (n: string, v: string) => {
    set(n, v);
    const next = Number(v) as K;
    if (!formatsOf(next).includes(formatIn(values))) set("format", String(formatsOf(next)[0]));
  };
  const chooseFormat = (n: string, v: string) => {
    setChose(true);
    set(n, v);
  };
  const about = [passphrase(isEncrypted(files)), name(files)];
  const groups = choices.filter(([k]) => k.startsWith("g:")).map(([k, n]) => [k.slice(2), n.replace(/^Group /, "")] as const);
  const rest = ofAccounts ? given(groups) : [];
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
      await send({ ...values, choice: String(choice) }, async () => {
        const { importRecord } = await createImport(requestOf(values, files), { timeoutMs: PATIENCE });
        void refresh(...IMPORTS);
        go(`/imports/${show(importRecord?.id)}`);
      });
    } catch (x) {
      setError(x);
      setBusy(false);
    }
  };
  return (
    <>
      <Head title={title} note={note} back={["/imports", "Imports"]} />
      <div className="stack">
        {ofAccounts && <Before />}
        <form ref={form} onSubmit={(e) => void submit(e)} noValidate className="split">
          <div className="stack">
            <Card title="What is imported">
              <div className="stack">
                <Fields specs={[KIND]} values={values} set={chooseKind} show={wantsAll} />
                <Fields specs={[format(kind)]} values={values} set={chooseFormat} show={wantsAll} />
                <Source
                  format={formatFor(kind, formatIn(values))}
                  files={files}
                  choose={take}
                  problem={wantsAll || files.length ? wrong : undefined}
                />
                <Fields specs={about} values={values} set={set} show={wantsAll} />
              </div>
            </Card>
            {ofAccounts && (
              <Card title="What each new account gets" note="An account that is there already keeps what it has">
                <Fields specs={rest} values={values} set={set} show={wantsAll} />
              </Card>
            )}
            {error !== undefined && <Failed error={error} sent />}
            <div className="row">
              <Button type="submit" kind="primary" isPending={busy}>
                {busy ? "Reading…" : "Read and check"}
              </Button>
              <span className="muted">Nothing is created yet</span>
            </div>
          </div>
          <Afterwards kind={kind} />
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
const AfterPurchases = () => (
  <Card title="What is recorded of a purchase" className="sticky">
    <div className="prose">
      <p>
        Each row becomes a final purchase without a contract, with its item: one that the account holds, or one that is settled with its
        sale.
      </p>
      <p>
        What it cost counts as put in on the day of the purchase. Profit or loss counts on the day of the sale, also where that day is over.
      </p>
      <p>
        Marketplace and order identify a purchase: a row that was imported before changes nothing. If its item was sold since, the row
        records the sale.
      </p>
    </div>
  </Card>
);
const AfterSales = () => (
  <Card title="What is recorded of a sale" className="sticky">
    <div className="prose">
      <p>The item with the asset id becomes settled. It has to be on record and not on sale here; import it as a holding first.</p>
      <p>Profit or loss counts on the day of the sale, also where that day is over. What the sale brought counts as taken out.</p>
      <p>An item of unknown cost has neither profit nor loss. A row that was imported before changes nothing.</p>
    </div>
  </Card>
);
const AfterHoldings = () => (
  <Card title="What is recorded of a holding" className="sticky">
    <div className="prose">
      <p>Each row becomes an item without a contract, with a purchase that is final. Its chain begins with the asset id of the row.</p>
      <p>What it cost counts as put in. A row without a price has an unknown cost, and what its sale brings is neither profit nor loss.</p>
      <p>A row that was imported before changes nothing. An item whose seller's trade can still be reversed stays locked until then.</p>
    </div>
  </Card>
);
/** What happens to what is chosen, by what it brings. */
function Afterwards({ kind }: { kind: K }) {
  switch (kind) {
    case K.HOLDINGS:
      return <AfterHoldings />;
    case K.PURCHASES:
      return <AfterPurchases />;
    case K.SALES:
      return <AfterSales />;
    default:
      return <After />;
  }
}
