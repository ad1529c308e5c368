import { useState, type FormEvent } from "react";
import { deviceToken } from "../core/passkey.ts";
import { reasonOf, trouble } from "../core/trouble.ts";
import { resetPassword } from "../gen/accounts/v1/credential_calls.ts";
import { signIn } from "../gen/accounts/v1/session_calls.ts";
import { TwoFactorMethod as M } from "../gen/accounts/v1/two_factor_pb.ts";
import { Button } from "../ui/button.tsx";
import { Fields, firstProblem, type Spec, type Values } from "../ui/field.tsx";
import { NEW_PASSWORD } from "../ui/new-password.ts";
import { Notice } from "../ui/state.tsx";
import { Door } from "./signin.tsx";

/** The outcome of the link: whether a session began, and what the page says that comes next. */
export interface Followed {
  signedIn: boolean;
  note: string;
}
const SET = "The new password is set. Sign in with it.";

/** Signs the first owner in with the password that was just set. The link names no one, so the address is asked for. */
async function enterWith(email: string, password: string): Promise<Followed> {
  try {
    const a = await signIn({ email, password, deviceToken: deviceToken.get() });
    deviceToken.set(a.deviceToken);
    return { signedIn: !a.challengeId, note: SET };
  } catch (e) {
    if (reasonOf(e) === "WRONG_CREDENTIALS")
      return { signedIn: false, note: "The new password is set, but for another address: the server printed it above the link." };
    return { signedIn: false, note: SET };
  }
}

/** What a link with a token opens: the first password after the installation, or a new one. The token is in the fragment, which no server log has. */
export default function ByLink({ done }: { done: (how: Followed) => void }) {
  const setup = location.pathname.startsWith("/setup");
  const token = location.hash.slice(1);
  const [values, setValues] = useState<Values>({});
  const [show, setShow] = useState(false);
  const [problem, setProblem] = useState("");
  const [factor, setFactor] = useState(false);
  const [recovery, setRecovery] = useState(false);
  const [busy, setBusy] = useState(false);
  const specs: Spec[] = [
    {
      name: "email",
      label: "The owner's address",
      kind: "email",
      autoComplete: "username",
      required: true,
      wide: true,
      hint: "The server printed it above the link.",
      when: () => setup,
    },
    NEW_PASSWORD,
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
      label: recovery ? "Recovery code" : "Six digits from your authenticator app",
      kind: recovery ? "text" : "code",
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
      const proof = factor ? { method: recovery ? M.RECOVERY_CODE : M.TOTP, code: values.code!.trim() } : {};
      await resetPassword({ token, newPassword: values.password!, ...proof });
    } catch (x) {
      if (reasonOf(x) === "CODE_REQUIRED") setFactor(true);
      else setProblem(trouble(x).text);
      setBusy(false);
      return;
    }
    done(setup ? await enterWith(values.email!.trim(), values.password!) : { signedIn: false, note: SET });
  };
  return (
    <Door>
      <h1>{setup ? "Welcome" : "New password"}</h1>
      <p className="muted">
        {setup
          ? "Choose the password of the owner's account. It signs you in, and you add a second factor next."
          : "Choose a new password. All other sessions end."}
      </p>
      {token ? (
        <form noValidate onSubmit={(e) => void submit(e)}>
          <Fields specs={specs} values={values} set={(n, v) => setValues((o) => ({ ...o, [n]: v }))} show={show} focusFirst />
          {problem && <Notice tone="bad">{problem}</Notice>}
          <Button kind="primary" type="submit" isPending={busy}>
            {busy ? "Saving…" : setup ? "Save it and sign in" : "Save the password"}
          </Button>
          {factor && (
            <Button
              kind="quiet"
              onPress={() => {
                setRecovery(!recovery);
                setValues((o) => ({ ...o, code: "" }));
                setShow(false);
              }}
            >
              {recovery ? "Use the app instead" : "I do not have the app at hand"}
            </Button>
          )}
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
