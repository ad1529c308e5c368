import { useState, type FormEvent } from "react";
import { useServerInfo } from "../core/server.ts";
import { trouble } from "../core/trouble.ts";
import { addEmailCredential } from "../gen/accounts/v1/credential_calls.ts";
import { canPass, NoWidget, TOKEN } from "../ui/bot-check.tsx";
import { Button } from "../ui/button.tsx";
import { Fields, firstProblem, type Spec, type Values } from "../ui/field.tsx";
import { Notice } from "../ui/state.tsx";

const SPECS: Spec[] = [
  { name: "email", label: "E-mail address", kind: "email", required: true, wide: true, autoComplete: "username", max: 254 },
  {
    name: "password",
    label: "Password",
    kind: "password",
    required: true,
    wide: true,
    max: 128,
    autoComplete: "new-password",
    hint: "15 signs or more. A few words in a row are easier to keep than odd signs.",
    check: (v) => (v.length < 15 ? "It has to have 15 signs or more." : undefined),
  },
];

/** Gives an address and a password to a person who signs in with an identity of another platform alone. */
export function AddEmail() {
  const info = useServerInfo();
  const [values, setValues] = useState<Values>({});
  const [show, setShow] = useState(false);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState(false);
  const submit = async (e: FormEvent) => {
    e.preventDefault();
    setShow(true);
    if (busy || firstProblem(SPECS, values)) return;
    setBusy(true);
    setProblem("");
    try {
      await addEmailCredential({ email: values.email!.trim(), password: values.password!, botCheckToken: TOKEN });
      setSent(true);
    } catch (x) {
      setProblem(`${trouble(x).title}. ${trouble(x).text}`);
    } finally {
      setBusy(false);
    }
  };
  if (!canPass(info))
    return (
      <>
        <NoWidget info={info} />
        <p className="muted">
          Ask the operator for an account with an address: on the server, <code className="mono">tradepost user create</code> prints a link
          with which you set its password.
        </p>
      </>
    );
  if (sent)
    return (
      <Notice tone="good" icon="check">
        A mail was sent to {values.email}. Its link, and the password that you chose, confirm the address. Load this page again afterwards.
      </Notice>
    );
  return (
    <form noValidate onSubmit={(e) => void submit(e)}>
      <Fields specs={SPECS} values={values} set={(n, v) => setValues((o) => ({ ...o, [n]: v }))} show={show} />
      {problem && <Notice tone="bad">{problem}</Notice>}
      <Button kind="primary" type="submit" isPending={busy}>
        {busy ? "Adding…" : "Add the address"}
      </Button>
    </form>
  );
}
