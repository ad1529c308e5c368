import { makePasskey, passkeyRefused, passkeysPossible } from "../../core/passkey.ts";
import { beginPasskeyRegistration, finishPasskeyRegistration } from "../../gen/accounts/v1/passkey_calls.ts";
import { Action } from "../../ui/action.tsx";
import { OLD } from "./old.ts";

export function AddPasskey({ kind = "" }: { kind?: string }) {
  if (!passkeysPossible()) return null;
  return (
    <Action
      label="Add a passkey"
      icon="passkey"
      kind={kind}
      call={beginPasskeyRegistration}
      title="Add a passkey"
      confirm="Continue"
      done="The passkey was added."
      old={OLD}
      fields={[{ name: "name", label: "Name", required: true, wide: true, max: 64, placeholder: "Laptop, telephone, key on the ring" }]}
      run={async (v) => {
        const { options } = await beginPasskeyRegistration({ name: v.name!.trim() });
        try {
          await finishPasskeyRegistration({ credential: await makePasskey(options!) });
        } catch (e) {
          if (passkeyRefused(e)) throw new Error("The browser made no passkey. Try again, or use another device.");
          throw e;
        }
      }}
    />
  );
}
