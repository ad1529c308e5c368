import { useState, type FormEvent } from "react";
import { PLATFORMS } from "../core/linked.ts";
import type { ServerInfo } from "../core/server.ts";
import { trouble } from "../core/trouble.ts";
import { resendEmailVerification, signUp } from "../gen/accounts/v1/session_calls.ts";
import { canPass, NoWidget, TOKEN } from "../ui/bot-check.tsx";
import { Button } from "../ui/button.tsx";
import { Fields, firstProblem, type Spec, type Values } from "../ui/field.tsx";
import { NEW_PASSWORD } from "../ui/new-password.ts";
import { Notice } from "../ui/state.tsx";

const SPECS: Spec[] = [
  { name: "name", label: "Name", required: true, max: 64, autoComplete: "name", hint: "Other members see it." },
  { name: "email", label: "E-mail address", kind: "email", required: true, autoComplete: "username", max: 254 },
  { ...NEW_PASSWORD, label: "Password" },
];
/** Asks for an account. A check with a widget is not possible here: this page loads nothing from other hosts. */
export default function SignUp({ info, back }: { info: ServerInfo; back: () => void }) {
  const [values, setValues] = useState<Values>({});
  const [show, setShow] = useState(false);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState("");
  const attempt = async (what: () => Promise<unknown>, then: string) => {
    setBusy(true);
    setProblem("");
    try {
      await what();
      setSent(then);
    } catch (e) {
      setProblem(`${trouble(e).title}. ${trouble(e).text}`);
    } finally {
      setBusy(false);
    }
  };
  const submit = (e: FormEvent) => {
    e.preventDefault();
    setShow(true);
    if (busy || firstProblem(SPECS, values)) return;
    const request = { email: values.email!.trim(), password: values.password!, displayName: values.name!.trim(), botCheckToken: TOKEN };
    void attempt(() => signUp(request), "A mail was sent. Its link, and the password that you chose, confirm the address.");
  };
  const leave = (
    <Button kind="quiet" onPress={back}>
      Back to sign in
    </Button>
  );
  if (!info.signUpOpen || !canPass(info))
    return (
      <>
        <h1>Create an account</h1>
        <WaysIn info={info} />
        {leave}
      </>
    );
  if (sent)
    return (
      <>
        <h1>Check your mail</h1>
        <p className="muted">{sent}</p>
        {problem && <Notice tone="bad">{problem}</Notice>}
        <Button
          isPending={busy}
          onPress={() =>
            void attempt(
              () => resendEmailVerification({ email: values.email!.trim(), botCheckToken: TOKEN }),
              "It was sent again. The link of the last mail counts.",
            )
          }
        >
          Send it again
        </Button>
        {leave}
      </>
    );
  return (
    <>
      <h1>Create an account</h1>
      <form noValidate onSubmit={submit}>
        <Fields specs={SPECS} values={values} set={(n, v) => setValues((o) => ({ ...o, [n]: v }))} show={show} focusFirst />
        {problem && <Notice tone="bad">{problem}</Notice>}
        <Button kind="primary" type="submit" isPending={busy}>
          {busy ? "Creating…" : "Create the account"}
        </Button>
      </form>
      {leave}
    </>
  );
}

/** Why there is no form, and the other ways to an account. */
function WaysIn({ info }: { info: ServerInfo }) {
  const others = (info.linkedPlatforms ?? []).map((p) => PLATFORMS[p]);
  return (
    <>
      {info.signUpOpen ? <NoWidget info={info} /> : <Notice>Sign-up is closed at this server.</Notice>}
      <div className="prose">
        <p>Other ways to an account:</p>
        <ul>
          <li>
            Ask the operator for an account. On the server, <code className="mono">tradepost user create you@example.com --name You</code>{" "}
            prints a link with which you set your password.
          </li>
          {others.length > 0 && info.signUpOpen && <li>Sign in with {others.join(" or ")}: the account is made with the first sign-in.</li>}
          <li>Were you invited to a workspace? Sign in with the address of the invitation once you have an account, and accept it.</li>
        </ul>
      </div>
    </>
  );
}
