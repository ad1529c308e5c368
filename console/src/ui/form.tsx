import { useRef, useState, type FormEvent, type ReactNode } from "react";
import { sender } from "../core/keys.ts";
import { Button } from "./button.tsx";
import { Card } from "./card.tsx";
import { Fields, firstProblem, type Spec, type Values } from "./field.tsx";
import { Failed, Notice } from "./state.tsx";
import { useUnsaved } from "./unsaved.tsx";

export interface Section {
  title: string;
  note?: ReactNode;
  fields: Spec[];
}
/** A page's form: sections of fields. What is typed stays when saving fails, and every way to another page asks first. */
export function Form({
  sections,
  start,
  save,
  label,
  aside,
}: {
  sections: (v: Values) => Section[];
  start: Values;
  save: (v: Values) => Promise<void>;
  label: string;
  aside?: (v: Values) => ReactNode;
}) {
  const [values, setValues] = useState<Values>(start);
  const [show, setShow] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [send] = useState(sender<void>);
  const form = useRef<HTMLFormElement>(null);
  const dirty = JSON.stringify(values) !== JSON.stringify(start);
  const question = useUnsaved(dirty && !busy);
  const shown = sections(values);
  const specs = shown.flatMap((s) => s.fields);
  const submit = async (e: FormEvent) => {
    e.preventDefault();
    if (busy) return;
    setShow(true);
    setError(undefined);
    const wrong = firstProblem(specs, values);
    if (wrong) {
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus());
      return;
    }
    setBusy(true);
    try {
      await send(values, save);
    } catch (x) {
      setError(x);
    } finally {
      setBusy(false);
    }
  };
  const wrong = show ? specs.filter((s) => (s.when?.(values) ?? true) && firstProblem([s], values)).length : 0;
  return (
    <form ref={form} onSubmit={(e) => void submit(e)} noValidate className={aside ? "split" : ""}>
      <div className="stack">
        {shown.map((s) => (
          <Card key={s.title} title={s.title} note={s.note}>
            <Fields specs={s.fields} values={values} set={(n, v) => setValues((o) => ({ ...o, [n]: v }))} show={show} />
          </Card>
        ))}
        {error !== undefined && <Failed error={error} sent />}
        {wrong > 0 && <Notice tone="bad">{wrong === 1 ? "One field is" : `${wrong} fields are`} not right yet.</Notice>}
        <div className="row">
          <Button type="submit" kind="primary" isPending={busy}>
            {busy ? "Saving…" : label}
          </Button>
          {dirty && <span className="muted">Not saved yet</span>}
        </div>
      </div>
      {aside && <div className="stack sticky">{aside(values)}</div>}
      {question}
    </form>
  );
}

export const linesOf = (text: string | undefined): string[] => [
  ...new Set(
    (text ?? "")
      .split("\n")
      .map((l) => l.trim())
      .filter(Boolean),
  ),
];
