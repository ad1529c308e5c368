import { lazy, Suspense, useState, type FormEvent, type ReactNode } from "react";
import { may, refresh } from "../core/queries.ts";
import type { Call } from "../rpc.ts";
import { Button } from "./button.tsx";
import { Fields, firstProblem, type Spec, type Values } from "./field.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { Failed } from "./state.tsx";
import { say } from "./toast.tsx";

const Window = lazy(() => import("./dialog.tsx"));

export interface ActionProps {
  label: string;
  icon?: IconName;
  kind?: string;
  /** The call whose right the button needs: without it there is no button. */
  call: Pick<Call, "service" | "method">;
  title?: string;
  text?: ReactNode;
  confirm?: string;
  danger?: boolean;
  fields?: readonly Spec[];
  start?: Values;
  done?: string;
  /** Does it. What it throws is shown in the window, and what was typed stays. What it returns is shown in place of the form. */
  run: (v: Values) => Promise<ReactNode | void>;
  /** Names of the calls whose answers are old afterwards; nothing means all. */
  old?: readonly string[];
  wide?: boolean;
}

/** A button that opens a window with what will happen, asks what is needed, and does it. */
export function Action(p: ActionProps) {
  const [open, setOpen] = useState(false);
  if (!may(p.call)) return null;
  return (
    <>
      <Button kind={p.kind ?? ""} onPress={() => setOpen(true)}>
        {p.icon && <Icon name={p.icon} />} {p.label}
      </Button>
      {open && (
        <Suspense>
          <ActionWindow {...p} close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

export function ActionWindow(p: ActionProps & { close: () => void }) {
  const [values, setValues] = useState<Values>(p.start ?? {});
  const [show, setShow] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [result, setResult] = useState<ReactNode>();
  const fields = p.fields ?? [];
  const submit = async (e: FormEvent) => {
    e.preventDefault();
    setShow(true);
    if (busy || firstProblem(fields, values)) return;
    setBusy(true);
    setError(undefined);
    try {
      const shown = await p.run(values);
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
    <Window title={p.title ?? p.label} close={p.close} wide={p.wide ?? false} locked={result !== undefined}>
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
          {error !== undefined && <Failed error={error} />}
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
