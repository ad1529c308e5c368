import { useState, type FormEvent } from "react";
import { reasonOf } from "../core/transport.ts";
import { trouble } from "../core/trouble.ts";
import { resetPassword } from "../gen/accounts/v1/credential_calls.ts";
import { TwoFactorMethod as M } from "../gen/accounts/v1/two_factor_pb.ts";
import { Button } from "../ui/button.tsx";
import { Fields, firstProblem, type Spec, type Values } from "../ui/field.tsx";
import { Notice } from "../ui/state.tsx";
import { Door } from "./signin.tsx";

/** What a link with a token opens: the first password after the installation, or a new one. The token is in the fragment, which no server log has. */
export default function ByLink() {
  const setup = location.pathname.startsWith("/setup");
  const token = location.hash.slice(1);
  const [values, setValues] = useState<Values>({});
  const [show, setShow] = useState(false);
  const [problem, setProblem] = useState("");
  const [factor, setFactor] = useState(false);
  const [busy, setBusy] = useState(false);
  const specs: Spec[] = [
    {
      name: "password",
      label: "New password",
      kind: "password",
      autoComplete: "new-password",
      required: true,
      wide: true,
      hint: "12 signs or more. A few words in a row are easier to keep than odd signs.",
      check: (v) => (v.length < 12 ? "It has to have 12 signs or more." : undefined),
    },
    {
      name: "again",
      label: "The same once more",
      kind: "password",
      autoComplete: "new-password",
      required: true,
      wide: true,
      check: (v, all) => (v === all.password ? undefined : "The two are not the same."),
    },
    {
      name: "code",
      label: "Six digits from your authenticator app",
      kind: "code",
      autoComplete: "one-time-code",
      required: true,
      when: () => factor,
    },
  ];
  const submit = async (e: FormEvent) => {
    e.preventDefault();
    setShow(true);
    if (firstProblem(specs, values)) return;
    setBusy(true);
    setProblem("");
    try {
      await resetPassword({ token, newPassword: values.password!, ...(factor ? { method: M.TOTP, code: values.code!.trim() } : {}) });
      location.replace("/");
    } catch (x) {
      if (reasonOf(x) === "CODE_REQUIRED") setFactor(true);
      else setProblem(trouble(x).text);
      setBusy(false);
    }
  };
  return (
    <Door>
      <h1>{setup ? "Welcome" : "New password"}</h1>
      <p className="muted">
        {setup
          ? "Choose the password of the owner's account. Afterwards you sign in with it and add a second factor."
          : "Choose a new password. All other sessions end."}
      </p>
      {token ? (
        <form noValidate onSubmit={(e) => void submit(e)}>
          <Fields specs={specs} values={values} set={(n, v) => setValues((o) => ({ ...o, [n]: v }))} show={show} focusFirst />
          {problem && <Notice tone="bad">{problem}</Notice>}
          <Button kind="primary" type="submit" isPending={busy}>
            {busy ? "Saving…" : "Save the password"}
          </Button>
        </form>
      ) : (
        <Notice tone="bad">The link is not whole: what follows the sign # is missing. Copy all of it from where it was shown.</Notice>
      )}
      <Button kind="quiet" onPress={() => location.replace("/")}>
        Go to sign in
      </Button>
    </Door>
  );
}
