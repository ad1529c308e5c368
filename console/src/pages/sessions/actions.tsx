import { useState, type FormEvent } from "react";
import { useAccountChoices } from "../../core/accounts.ts";
import { when } from "../../core/format.ts";
import { read } from "../../core/ids.ts";
import { may, refresh } from "../../core/queries.ts";
import { endAccountSession, startAccountSession, submitAccountSessionCode } from "../../gen/trading/v1/account_session_calls.ts";
import type { AccountSession } from "../../gen/trading/v1/account_session_pb.ts";
import { Action } from "../../ui/action.tsx";
import { Button } from "../../ui/button.tsx";
import { Fields, firstProblem, type Values } from "../../ui/field.tsx";
import { Failed, Notice } from "../../ui/state.tsx";
import { say } from "../../ui/toast.tsx";
import { useUnsaved } from "../../ui/unsaved.tsx";
import { accountField } from "../friends/fields.ts";
import { ASK, askedOf, canEnd, CODE, isAsked, isEnding, isMadeHere, REVOKE, SESSIONS, takesCode, troubleOf, works } from "./words.ts";

const STARTS = "The engine begins in one of its next passes.";
const HOW = (
  <p>
    The engine gives the stored login name and password to the platform. If the platform asks for a code or an approval, the page of the
    session says so.
  </p>
);
const start = async (accountId: Uint8Array, v: Values) =>
  void (await startAccountSession({ accountId, ...(v.ask ? { useStoredCode: false } : {}) }));
/** Has one account signed in. */
export const Start = ({ accountId, name }: { accountId: Uint8Array; name: string }) => (
  <Action
    label="Start session"
    icon="play"
    call={startAccountSession}
    title={`Sign ${name} in?`}
    confirm="Start the session"
    done={STARTS}
    old={SESSIONS}
    text={HOW}
    fields={[ASK]}
    run={(v) => start(accountId, v)}
  />
);
/** The same where the page is not of one account. */
export function StartOne({ chosen }: { chosen: string }) {
  const { accounts } = useAccountChoices();
  if (accounts.length === 0) return null;
  const first = chosen || accounts[0]![0];
  return (
    <Action
      key={first}
      label="Start session"
      icon="play"
      kind="primary"
      call={startAccountSession}
      title="Sign an account in"
      confirm="Start the session"
      done={STARTS}
      old={SESSIONS}
      start={{ account: first }}
      text={HOW}
      fields={[accountField(accounts), ASK]}
      run={(v) => start(read(v.account!), v)}
    />
  );
}
/** Ends a session. Only one that works has tokens to revoke. */
export const End = ({ s, name }: { s: AccountSession; name: string }) =>
  canEnd(s) && (
    <Action
      label="End session"
      kind="danger"
      danger
      call={endAccountSession}
      title={`End the session of ${name}?`}
      confirm="End the session"
      done={works(s) ? "The session ends." : "Ended."}
      old={SESSIONS}
      start={works(s) && !isEnding(s) ? { revoke: "yes" } : {}}
      text={<p>The account trades no longer until a session is started: the engine does not start one by itself. Its open renewals end.</p>}
      fields={works(s) ? [REVOKE] : []}
      run={async (v) => void (await endAccountSession({ accountSessionId: s.id!, revoke: Boolean(v.revoke), expectedVersion: s.version }))}
    />
  );

/** What the platform asks for, with the form for a code. */
export const Asked = ({ s }: { s: AccountSession }) =>
  isAsked(s) && (
    <>
      <Notice tone="info">
        {askedOf(s)}
        {isMadeHere(s) && " The engine makes the code of the mobile authenticator by itself, unless you type one first."}
      </Notice>
      {takesCode(s) && may(submitAccountSessionCode) && <CodeForm s={s} />}
    </>
  );
/** What is wrong with a session, and that its end was asked for. */
export function Trouble({ s }: { s: AccountSession }) {
  const [what, next] = troubleOf(s) ?? [];
  return (
    <>
      {what && (
        <Notice tone="bad">
          <b>{what}</b> {next}
        </Notice>
      )}
      {isEnding(s) && (
        <Notice>
          A person asked for its end at {when(s.endRequestedAt)}. The engine revokes its tokens in one of its next passes, and the session
          works until then.
        </Notice>
      )}
    </>
  );
}

const FIELDS = [CODE];
/** The code is here alone, and is forgotten once it is sent. */
function CodeForm({ s }: { s: AccountSession }) {
  const [values, setValues] = useState<Values>({});
  const [show, setShow] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const question = useUnsaved(Boolean(values.code) && !busy);
  const submit = async (e: FormEvent) => {
    e.preventDefault();
    setShow(true);
    if (busy || firstProblem(FIELDS, values)) return;
    setBusy(true);
    setError(undefined);
    try {
      await submitAccountSessionCode({ accountSessionId: s.id!, code: values.code!.trim(), expectedVersion: s.version });
      setValues({});
      setShow(false);
      say("The engine gives the code to the platform in one of its next passes.");
    } catch (x) {
      setError(x);
    } finally {
      setBusy(false);
      // Also where it was refused: the session may be another by now.
      void refresh(...SESSIONS);
    }
  };
  return (
    <form onSubmit={(e) => void submit(e)} noValidate className="stack">
      <Fields specs={FIELDS} values={values} set={(n, v) => setValues((o) => ({ ...o, [n]: v }))} show={show} />
      {error !== undefined && <Failed error={error} />}
      <div className="row">
        <Button type="submit" kind="primary" isPending={busy}>
          {busy ? "Sending…" : "Give the code"}
        </Button>
      </div>
      {question}
    </form>
  );
}
