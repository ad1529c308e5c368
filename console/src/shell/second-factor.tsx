import { passkeysPossible } from "../core/passkey.ts";
import { place } from "../core/place.ts";
import { useCall } from "../core/queries.ts";
import { passkeysHere, useServerInfo } from "../core/server.ts";
import { getTwoFactorStatus } from "../gen/accounts/v1/two_factor_calls.ts";
import { AddPasskey } from "../pages/settings/add-passkey.tsx";
import { Enrol } from "../pages/settings/totp.tsx";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/state.tsx";
import { Door } from "./signin.tsx";
import { AskedHost } from "./asked.tsx";

/** Offers a second factor right after the first password was set: no mailbox is needed for either. */
export default function SecondFactor({ done }: { done: () => void }) {
  const info = useServerInfo();
  const two = useCall(getTwoFactorStatus, {});
  const passkeys = two.data?.passkeyCount ?? 0;
  const app = two.data?.totpEnabled ?? false;
  const added = passkeys > 0 || app;
  const here = passkeysPossible() && passkeysHere(info);
  return (
    <Door>
      <h1>{added ? "You have a second factor" : "Add a second factor"}</h1>
      <p className="muted">
        {added
          ? "Your password alone no longer lets anyone in. Add one of the other kind as well, in case you lose the first."
          : "You are signed in. Your password alone is enough to move money now: add a passkey or an authenticator app, and it no longer is."}
      </p>
      {passkeys > 0 && (
        <Notice tone="good" icon="check">
          A passkey is added.
        </Notice>
      )}
      {app && (
        <Notice tone="good" icon="check">
          The authenticator app is added.
        </Notice>
      )}
      {here && passkeys === 0 && <AddPasskey kind={added ? "" : "primary"} />}
      {!here && (
        <Notice tone="info" icon="passkey">
          {info.publicUrl && passkeysPossible() && info.passkeysAvailable ? (
            <>
              Passkeys belong to another address of this server. <a href={info.publicUrl}>Open it there</a> to add one.
            </>
          ) : (
            "A passkey needs TLS, or the address localhost on this machine. The app works here."
          )}
        </Notice>
      )}
      {!app && <Enrol kind={here || added ? "" : "primary"} />}
      <Button kind={added ? "primary" : "quiet"} onPress={done}>
        {added ? "Go to the console" : "Later"}
      </Button>
      {!added && (
        <p className="hint">
          The server mails you a code first, to <b>{place.email}</b>. One that sends no mail yet writes it into the folder mail next to its
          data. You find both in Settings, under Signing in.
        </p>
      )}
      <AskedHost />
    </Door>
  );
}
