import { count, when } from "../../core/format.ts";
import { useCall } from "../../core/queries.ts";
import { changePassword, listCredentials } from "../../gen/accounts/v1/credential_calls.ts";
import { disableTOTP, getTwoFactorStatus, regenerateRecoveryCodes } from "../../gen/accounts/v1/two_factor_calls.ts";
import { Action } from "../../ui/action.tsx";
import { Card, Facts } from "../../ui/card.tsx";
import { NEW_PASSWORD } from "../../ui/new-password.ts";
import { Loaded, Notice } from "../../ui/state.tsx";
import { Badge } from "../../ui/status.tsx";
import { Linked } from "./linked.tsx";
import { Passkeys } from "./passkeys.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { OLD } from "./old.ts";
import { Enrol } from "./totp.tsx";

export function Security() {
  const two = useCall(getTwoFactorStatus, {});
  const ways = useCall(listCredentials, {});
  return (
    <>
      {two.data && !two.data.totpEnabled && !two.data.passkeyCount && (
        <Notice>
          You have no second factor. Add an authenticator app or a passkey: without one, your password alone is enough to move money.
        </Notice>
      )}
      <Passkeys />
      <Card
        title="Authenticator app"
        note="Six digits that change every 30 s"
        extra={two.data && (two.data.totpEnabled ? <Badge tone="gain">On since {when(two.data.totpEnabledAt)}</Badge> : <Badge>Off</Badge>)}
      >
        <Loaded query={two}>
          {(t) => (
            <div className="row">
              {t.totpEnabled ? (
                <Action
                  label="Turn off"
                  kind="danger"
                  danger
                  call={disableTOTP}
                  title="Turn the app off?"
                  confirm="Turn it off"
                  done="Turned off."
                  old={OLD}
                  text={<p>Its codes and the recovery codes stop working.</p>}
                  run={async () => void (await disableTOTP({}))}
                />
              ) : (
                <Enrol />
              )}
            </div>
          )}
        </Loaded>
      </Card>
      <Card
        title="Recovery codes"
        note="Each one works once, in place of the app"
        extra={
          two.data && <Badge tone={(two.data.recoveryCodesLeft ?? 0) < 3 ? "warn" : ""}>{count(two.data.recoveryCodesLeft)} left</Badge>
        }
      >
        <Loaded query={two}>
          {(t) =>
            t.totpEnabled ? (
              <Action
                label="Make new codes"
                call={regenerateRecoveryCodes}
                title="Make new recovery codes?"
                confirm="Make new codes"
                old={OLD}
                text={<p>The codes that you have stop working.</p>}
                run={async () => <RecoveryCodes codes={(await regenerateRecoveryCodes({})).recoveryCodes} />}
              />
            ) : (
              <p className="muted">They come with the authenticator app.</p>
            )
          }
        </Loaded>
      </Card>
      <Card title="Password">
        <Loaded query={ways}>
          {(w) => (
            <>
              <Facts
                of={[
                  ["Set", w.hasPassword ? "yes" : "no"],
                  ["Changed", when(w.passwordChangedAt)],
                ]}
              />
              <br />
              {w.hasPassword ? (
                <Action
                  label="Change the password"
                  call={changePassword}
                  title="Change the password"
                  confirm="Change it"
                  done="Changed. Your other sessions have ended."
                  old={OLD}
                  fields={[
                    { name: "old", label: "Password now", kind: "password", autoComplete: "current-password", required: true, wide: true },
                    { ...NEW_PASSWORD, name: "next" },
                  ]}
                  run={async (v) => void (await changePassword({ currentPassword: v.old!, newPassword: v.next! }))}
                />
              ) : (
                <p className="muted">
                  {w.email
                    ? "To set one, sign out and choose “Forgot the password?”: a mail with a link comes to your address."
                    : "You sign in without one. It comes with an address, which you add in your profile."}
                </p>
              )}
            </>
          )}
        </Loaded>
      </Card>
      <Linked />
    </>
  );
}
