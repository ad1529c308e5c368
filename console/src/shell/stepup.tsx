import { useEffect, useState, type FormEvent } from "react";
import { restartWatch } from "../core/live.ts";
import { deviceToken, passkeyRefused, passkeysPossible, signWithPasskey } from "../core/passkey.ts";
import { place } from "../core/place.ts";
import { useCall } from "../core/queries.ts";
import { reasonOf, trouble } from "../core/trouble.ts";
import { listCredentials } from "../gen/accounts/v1/credential_calls.ts";
import { signIn, signOut } from "../gen/accounts/v1/session_calls.ts";
import { beginStepUp, beginStepUpPasskey, completeStepUp, resendStepUpCode } from "../gen/accounts/v1/two_factor_calls.ts";
import { TwoFactorMethod as M } from "../gen/accounts/v1/two_factor_pb.ts";
import { Button } from "../ui/button.tsx";
import Window from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { Notice, Skeleton } from "../ui/state.tsx";

const SAID: Record<string, string> = {
  CODE_MISMATCH: "That code is not right. A code of the app is good for 30 seconds, and only once.",
  CHALLENGE_INVALID: "That took too long. Begin again.",
  CHALLENGE_EXHAUSTED: "Too many wrong codes. Begin again.",
  NO_STEP_UP_METHOD: "You have no second factor yet. Add an authenticator app or a passkey in Settings, then do this again.",
};
const ASKED: Partial<Record<M, string>> = {
  [M.TOTP]: "Six digits from your authenticator app",
  [M.RECOVERY_CODE]: "Recovery code",
  [M.EMAIL]: "Code from the mail that was just sent",
};

export default function StepUp({ why, done }: { why: "step-up" | "password"; done: (confirmed: boolean) => void }) {
  const [challenge, setChallenge] = useState<{ id: string; methods: readonly M[] }>();
  const [method, setMethod] = useState<M>(M.TOTP);
  const [code, setCode] = useState("");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const attempt = async (what: () => Promise<void>) => {
    setBusy(true);
    setProblem("");
    try {
      await what();
    } catch (e) {
      if (!passkeyRefused(e)) setProblem(SAID[reasonOf(e)] ?? trouble(e).text);
      else setProblem("The passkey was not used. Try again, or use another way.");
    } finally {
      setBusy(false);
    }
  };
  const begin = () =>
    attempt(async () => {
      const a = await beginStepUp({});
      const methods = a.allowedMethods;
      setChallenge({ id: a.challengeId!, methods });
      setMethod([M.TOTP, M.EMAIL, M.RECOVERY_CODE].find((m) => methods.includes(m)) ?? M.TOTP);
    });
  useEffect(() => {
    if (why === "step-up") void begin();
  }, []);
  const confirmed = () => {
    restartWatch();
    done(true);
  };
  const submit = (e: FormEvent) => {
    e.preventDefault();
    void attempt(async () => {
      if (why === "password") {
        const a = await signIn({ email: place.email, password: code, deviceToken: deviceToken.get() });
        deviceToken.set(a.deviceToken);
      } else await completeStepUp({ challengeId: challenge!.id, method, code: code.trim() });
      confirmed();
    });
  };
  const passkey = () =>
    attempt(async () => {
      const q = await beginStepUpPasskey({ challengeId: challenge!.id });
      await completeStepUp({ challengeId: challenge!.id, method: M.PASSKEY, credential: await signWithPasskey(q.options!) });
      confirmed();
    });
  // Without a password there is only a new sign-in by the identity that is linked.
  const ways = useCall(listCredentials, {}, { enabled: why === "password" });
  const linkedOnly = why === "password" && ways.data !== undefined && !ways.data.hasPassword;
  const byPassword = why === "password" && !linkedOnly && !ways.isLoading;
  const others = challenge?.methods.filter((m) => m !== method && ASKED[m]) ?? [];
  const typed = byPassword || challenge?.methods.some((m) => ASKED[m]);
  return (
    <Window title="Confirm that it is you" close={() => done(false)}>
      <form onSubmit={submit} noValidate>
        <div className="prose">
          <p>
            {linkedOnly
              ? "This changes who can get in or moves money, and you have no password to confirm it. Sign out and in again: for 10 minutes after it, this is done without a question."
              : why === "password"
                ? "This changes who can get in or moves money. Type your password again; then it is done."
                : "This changes who can get in or moves money. After it, most things do not ask again for 10 minutes."}
          </p>
        </div>
        {(why === "step-up" ? !challenge && !problem : ways.isLoading) && <Skeleton lines={2} />}
        {challenge?.methods.includes(M.PASSKEY) && passkeysPossible() && (
          <Button onPress={() => void passkey()} isPending={busy}>
            <Icon name="passkey" /> Use a passkey
          </Button>
        )}
        {typed && (
          <Field
            focus
            show={false}
            values={{ code }}
            set={(_n, v) => setCode(v)}
            spec={
              why === "password"
                ? { name: "code", label: "Password", kind: "password", autoComplete: "current-password", required: true }
                : {
                    name: "code",
                    label: ASKED[method]!,
                    kind: method === M.TOTP ? "code" : "text",
                    autoComplete: "one-time-code",
                    required: true,
                  }
            }
          />
        )}
        {problem && <Notice tone="bad">{problem}</Notice>}
        {challenge && (
          <div className="row">
            {others.map((m) => (
              <Button
                key={m}
                kind="quiet"
                onPress={() => {
                  setMethod(m);
                  setCode("");
                }}
              >
                {m === M.RECOVERY_CODE ? "Use a recovery code" : m === M.EMAIL ? "Use a code by mail" : "Use the app"}
              </Button>
            ))}
            {method === M.EMAIL && (
              <Button kind="quiet" onPress={() => void attempt(async () => void (await resendStepUpCode({ challengeId: challenge.id })))}>
                Send the mail again
              </Button>
            )}
          </div>
        )}
        <footer>
          <Button onPress={() => done(false)}>Cancel</Button>
          {linkedOnly && <Button onPress={() => void signOut({}).finally(() => location.assign("/"))}>Sign out</Button>}
          {problem && why === "step-up" && !busy && <Button onPress={() => void begin()}>Begin again</Button>}
          {typed && (
            <Button type="submit" kind="primary" isPending={busy} isDisabled={!code.trim()}>
              {busy ? "Checking…" : "Confirm"}
            </Button>
          )}
        </footer>
      </form>
    </Window>
  );
}
