import { useState, type FormEvent, type ReactNode } from "react";
import { sender } from "../core/keys.ts";
import { refresh } from "../core/queries.ts";
import type { ActionProps } from "./action.tsx";
import { Button } from "./button.tsx";
import Window from "./dialog.tsx";
import { Fields, firstProblem, isTyped, type Values } from "./field.tsx";
import { Failed } from "./state.tsx";
import { say } from "./toast.tsx";

/** The window of an action: loaded when it is opened, since no page needs it before. */
export default function ActionWindow(p: ActionProps & { close: () => void }) {
  const [values, setValues] = useState<Values>(p.start ?? {});
  const [show, setShow] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [result, setResult] = useState<ReactNode>();
  const [send] = useState(sender<ReactNode | void>);
  const fields = p.fields ?? [];
  const typed = isTyped(fields, values, p.start);
  const submit = async (e: FormEvent) => {
    e.preventDefault();
    setShow(true);
    if (busy || firstProblem(fields, values)) return;
    setBusy(true);
    setError(undefined);
    try {
      const shown = await send(values, p.run);
      void refresh(...(p.old ?? []));
      if (p.done) say(p.done);
      if (shown) setResult(shown);
      else p.close();
    } catch (x) {
      setError(x);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Window
      title={p.title ?? p.label}
      close={p.close}
      wide={p.wide ?? false}
      locked={result !== undefined}
      typed={typed && !busy && result === undefined}
    >
      {result !== undefined ? (
        <>
          {result}
          <footer>
            <Button kind="primary" onPress={p.close}>
              Done
            </Button>
          </footer>
        </>
      ) : (
        <form onSubmit={(e) => void submit(e)} noValidate>
          {p.text && <div className="prose">{p.text}</div>}
          {fields.length > 0 && (
            <Fields specs={fields} values={values} set={(n, v) => setValues((o) => ({ ...o, [n]: v }))} show={show} focusFirst />
          )}
          {error !== undefined && <Failed error={error} sent />}
          <footer>
            <Button onPress={p.close}>Cancel</Button>
            <Button type="submit" kind={p.danger ? "primary bad" : "primary"} isPending={busy}>
              {busy ? "Working…" : (p.confirm ?? p.label)}
            </Button>
          </footer>
        </form>
      )}
    </Window>
  );
}
