import { lazy, Suspense, useEffect, useRef, useState, type FormEvent, type ReactNode } from "react";
import { comeBack, leaveFor, PLATFORMS, RETURN, returnAddress } from "../core/linked.ts";
import { deviceToken, passkeyRefused, passkeysPossible, signWithPasskey } from "../core/passkey.ts";
import { passkeysHere, useServerInfo } from "../core/server.ts";
import { reasonOf, trouble } from "../core/trouble.ts";
import { requestPasswordReset } from "../gen/accounts/v1/credential_calls.ts";
import { finishLinkedSignIn } from "../gen/accounts/v1/account_link_calls.ts";
import { beginPasskeySignIn, completeSignIn, finishPasskeySignIn, signIn } from "../gen/accounts/v1/session_calls.ts";
import { TwoFactorMethod as M } from "../gen/accounts/v1/two_factor_pb.ts";
import { Button } from "../ui/button.tsx";
import { Field, firstProblem, type Spec, type Values } from "../ui/field.tsx";
import { Icon, Mark } from "../ui/icon.tsx";
import { Notice } from "../ui/state.tsx";

const SignUp = lazy(() => import("./signup.tsx"));
const SAID: Record<string, string> = {
  WRONG_CREDENTIALS: "Address or password is wrong.",
  RATE_LIMITED: "Too many tries. Wait a little, then try again.",
  CODE_MISMATCH: "That code is not right. A code of the app is good for 30 seconds, and only once.",
  CHALLENGE_INVALID: "That took too long. Sign in again.",
  CHALLENGE_EXHAUSTED: "Too many wrong codes. Sign in again.",
  PASSKEY_REFUSED: "This passkey is not known here.",
  BOT_CHECK_REQUIRED: "Too many tries failed from your network. Wait, or use a passkey.",
  LINK_INVALID: "It was not begun in this browser, or is over. Begin again.",
  SIGN_UP_CLOSED:
    "This identity has no account here, and sign-up is closed. Ask the operator for an account, then link it in the settings.",
  ORIGIN_REFUSED: "The server does not know this address. Open the console at the address of the settings.",
};
const ADDRESS: Spec = { name: "email", label: "E-mail address", kind: "email", autoComplete: "username webauthn", required: true };
const PASSWORD: Spec = { name: "password", label: "Password", kind: "password", autoComplete: "current-password", required: true };

/** The page around every form of those who are not signed in. */
export const Door = ({ children }: { children: ReactNode }) => (
  <div className="door">
    <main className="ask">
      <div className="panel">
        <div className="brand">
          <Mark /> tradepost
        </div>
        {children}
      </div>
    </main>
    <aside aria-hidden="true">
      <ol>
        <li>listing 30482217</li>
        <li>purchase 30482217 → 41170093</li>
        <li>on sale 41170093</li>
        <li>delivered 41170093 → 52908411</li>
      </ol>
      <h2>Every item, every id, every cent.</h2>
      <p>What was bought, why, where it is now, and what it brought: on your own machine.</p>
    </aside>
  </div>
);

type Step =
  | { at: "password" }
  | { at: "sign-up" }
  | { at: "forgotten" }
  | { at: "sent" }
  | { at: "code"; id: string; methods: readonly M[]; options: string };
/** Signing in. The answers hold no token: the server puts it into a cookie that scripts cannot read. */
export default function SignIn({ note, done }: { note: string; done: () => void | Promise<void> }) {
  const info = useServerInfo();
  const [step, setStep] = useState<Step>({ at: "password" });
  const [recovery, setRecovery] = useState(false);
  const [values, setValues] = useState<Values>({});
  const [show, setShow] = useState(false);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const set = (n: string, v: string) => setValues((o) => ({ ...o, [n]: v }));
  // What was typed when the session began. If the page fails after it, the next press opens the page alone: a code works once.
  const begun = useRef("");
  const given = JSON.stringify(values);
  const entered = async () => {
    begun.current = given;
    await done();
    begun.current = "";
  };
  const attempt = async (what: () => Promise<void>) => {
    setBusy(true);
    setProblem("");
    try {
      await (begun.current === given ? entered() : what());
    } catch (e) {
      if (passkeyRefused(e)) setProblem("The passkey was not used. Try again, or sign in with your password.");
      else if (/redirectUri/.test(trouble(e).text))
        setProblem(`The operator has not allowed this address: ${returnAddress()} has to be in the setting linking.redirect_uris.`);
      else setProblem(SAID[reasonOf(e)] ?? `${trouble(e).title}. ${trouble(e).text}`);
    } finally {
      setBusy(false);
    }
  };
  const onForm = (specs: readonly Spec[], what: () => Promise<void>) => (e: FormEvent) => {
    e.preventDefault();
    setShow(true);
    if (firstProblem(specs, values)) return;
    void attempt(what);
  };
  const password = async () => {
    const a = await signIn({ email: values.email!.trim(), password: values.password!, deviceToken: deviceToken.get() });
    deviceToken.set(a.deviceToken);
    setShow(false);
    if (a.challengeId) setStep({ at: "code", id: a.challengeId, methods: a.allowedMethods, options: a.passkeyOptions ?? "" });
    else await entered();
  };
  const passkey = () =>
    attempt(async () => {
      const q = await beginPasskeySignIn({});
      deviceToken.set(
        (await finishPasskeySignIn({ challengeId: q.challengeId!, credential: await signWithPasskey(q.options!) })).deviceToken,
      );
      await entered();
    });
  const linked = async () => {
    const a = await finishLinkedSignIn(comeBack("sign-in").answer);
    deviceToken.set(a.deviceToken);
    history.replaceState(null, "", "/");
    if (a.challengeId) setStep({ at: "code", id: a.challengeId, methods: a.allowedMethods, options: a.passkeyOptions ?? "" });
    else await entered();
  };
  useEffect(() => {
    // Without its query it is the page that a person signed out on, and nothing comes back.
    if (RETURN.test(location.pathname) && location.search) void attempt(linked);
  }, []);
  const wrong = problem && <Notice tone="bad">{problem}</Notice>;
  if (step.at === "code") {
    const offers = (m: M) => step.methods.includes(m);
    // A mail is never enough here. Without an app and a recovery code there is nothing to type: a passkey is the only way.
    const typed = offers(M.TOTP) && !recovery ? M.TOTP : offers(M.RECOVERY_CODE) ? M.RECOVERY_CODE : undefined;
    const byApp = typed === M.TOTP;
    const spec: Spec = {
      name: "code",
      label: byApp ? "Six digits" : "Recovery code",
      kind: byApp ? "code" : "text",
      autoComplete: "one-time-code",
      required: true,
    };
    const complete = async (proof: { method: M; code?: string; credential?: string }) => {
      deviceToken.set((await completeSignIn({ challengeId: step.id, ...proof })).deviceToken);
      await entered();
    };
    const passkeyButton = step.options && passkeysPossible() && (
      <Button
        kind={typed ? "" : "primary"}
        onPress={() => void attempt(async () => complete({ method: M.PASSKEY, credential: await signWithPasskey(step.options) }))}
      >
        <Icon name="passkey" /> {typed ? "Use a passkey instead" : "Use a passkey"}
      </Button>
    );
    return (
      <Door>
        <h1>{byApp ? "Code from your app" : typed ? "Recovery code" : "Your passkey"}</h1>
        <p className="muted">
          {byApp
            ? "Open your authenticator app and type the six digits that it shows for tradepost."
            : typed
              ? "Each one works once."
              : "A passkey is your only second factor. Your browser asks for it."}
        </p>
        {typed ? (
          <form noValidate onSubmit={onForm([spec], () => complete({ method: typed, code: values.code!.trim() }))}>
            <Field key={String(byApp)} spec={spec} values={values} set={set} show={show} focus />
            {wrong}
            <Button kind="primary" type="submit" isPending={busy}>
              {busy ? "Checking…" : "Continue"}
            </Button>
          </form>
        ) : (
          wrong
        )}
        {passkeyButton ||
          (!typed && <Notice>This browser offers no passkey at this address. Sign in with a browser that has yours.</Notice>)}
        {offers(M.TOTP) && offers(M.RECOVERY_CODE) && (
          <Button
            kind="quiet"
            onPress={() => {
              setRecovery(!recovery);
              set("code", "");
              setShow(false);
            }}
          >
            {recovery ? "Use the app instead" : "I do not have the app at hand"}
          </Button>
        )}
        <Button
          kind="quiet"
          onPress={() => {
            setStep({ at: "password" });
            setRecovery(false);
            setProblem("");
          }}
        >
          Back
        </Button>
      </Door>
    );
  }
  if (step.at === "sign-up")
    return (
      <Door>
        <Suspense>
          <SignUp
            info={info}
            back={() => {
              setStep({ at: "password" });
              setShow(false);
            }}
          />
        </Suspense>
      </Door>
    );
  if (step.at === "forgotten" || step.at === "sent") {
    return (
      <Door>
        <h1>{step.at === "sent" ? "Check your mail" : "New password"}</h1>
        {step.at === "sent" ? (
          <p className="muted">If the address has an account here, a mail with a link was sent to it. The link is good for 30 minutes.</p>
        ) : (
          <form
            noValidate
            onSubmit={onForm([ADDRESS], async () => {
              await requestPasswordReset({ email: values.email!.trim() });
              setStep({ at: "sent" });
            })}
          >
            <Field spec={ADDRESS} values={values} set={set} show={show} focus />
            {wrong}
            <Button kind="primary" type="submit" isPending={busy}>
              Send the link
            </Button>
          </form>
        )}
        <Button
          kind="quiet"
          onPress={() => {
            setStep({ at: "password" });
            setProblem("");
            setShow(false);
          }}
        >
          Back to sign in
        </Button>
      </Door>
    );
  }
  const others = info.linkedPlatforms ?? [];
  return (
    <Door>
      <h1>Sign in</h1>
      {info.publicUrl && passkeysPossible() && info.passkeysAvailable && !passkeysHere(info) && (
        <Notice tone="info" icon="passkey">
          Passkeys belong to another address of this server. <a href={info.publicUrl}>Open it there</a> to use yours.
        </Notice>
      )}
      {!isSecureContext && (
        <Notice>
          This page was not opened over TLS, so the browser keeps no session. Set up TLS for the server or put it behind a proxy that has
          it; on this machine, open it as <b>localhost</b>.
        </Notice>
      )}
      {note && (
        <Notice tone="info" icon="check">
          {note}
        </Notice>
      )}
      <form noValidate onSubmit={onForm([ADDRESS, PASSWORD], password)}>
        <Field spec={ADDRESS} values={values} set={set} show={show} focus />
        <Field spec={PASSWORD} values={values} set={set} show={show} />
        {wrong}
        <Button kind="primary" type="submit" isPending={busy}>
          {busy ? "Signing in…" : "Sign in"}
        </Button>
      </form>
      {(others.length > 0 || (passkeysPossible() && passkeysHere(info))) && <div className="or">or</div>}
      {passkeysPossible() && passkeysHere(info) && (
        <Button onPress={() => void passkey()}>
          <Icon name="passkey" /> Sign in with a passkey
        </Button>
      )}
      {others.map((p) => (
        <Button key={p} isDisabled={busy} onPress={() => void attempt(() => leaveFor(p, "sign-in"))}>
          <Icon name="link" /> Sign in with {PLATFORMS[p]}
        </Button>
      ))}
      <Button
        kind="quiet"
        onPress={() => {
          setStep({ at: "forgotten" });
          setProblem("");
          setShow(false);
        }}
      >
        Forgot the password?
      </Button>
      <Button
        kind="quiet"
        onPress={() => {
          setStep({ at: "sign-up" });
          setProblem("");
        }}
      >
        No account yet?
      </Button>
    </Door>
  );
}
