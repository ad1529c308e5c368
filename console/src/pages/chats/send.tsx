import { useState, type FormEvent } from "react";
import { sender } from "../../core/keys.ts";
import { refresh } from "../../core/queries.ts";
import { sendMessage } from "../../gen/trading/v1/chat_calls.ts";
import type { Conversation } from "../../gen/trading/v1/chat_pb.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Fields, firstProblem, type Values } from "../../ui/field.tsx";
import { Failed } from "../../ui/state.tsx";
import { say } from "../../ui/toast.tsx";
import { useUnsaved } from "../../ui/unsaved.tsx";
import { TEXT } from "../friends/fields.ts";
import { CHATS } from "./words.ts";

const FIELDS = [TEXT];
/** Writes a message. One that is sent again because its answer was lost has the same key, so that it is recorded once. */
export function Send({ c }: { c: Conversation }) {
  const [values, setValues] = useState<Values>({});
  const [show, setShow] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [send] = useState(sender<unknown>);
  const question = useUnsaved(Boolean(values.text) && !busy);
  const submit = async (e: FormEvent) => {
    e.preventDefault();
    setShow(true);
    if (busy || firstProblem(FIELDS, values)) return;
    setBusy(true);
    setError(undefined);
    try {
      // The same text, written again after it was sent, is another message.
      await send(values, ({ text }) => sendMessage({ accountId: c.accountId!, partner: c.partner!, text: text! }));
      setValues({});
      setShow(false);
      void refresh(...CHATS);
      say("The engine sends it in one of its next passes, once.");
    } catch (x) {
      setError(x);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Card title="Write">
      <form onSubmit={(e) => void submit(e)} noValidate className="stack">
        <Fields specs={FIELDS} values={values} set={(n, v) => setValues((o) => ({ ...o, [n]: v }))} show={show} />
        {error !== undefined && <Failed error={error} sent />}
        <div className="row">
          <Button type="submit" kind="primary" isPending={busy}>
            {busy ? "Sending…" : "Send"}
          </Button>
        </div>
      </form>
      {question}
    </Card>
  );
}
