import { useEffect, useState } from "react";
import { comeBack, PLATFORMS } from "../core/linked.ts";
import { refresh } from "../core/queries.ts";
import { finishAccountLink } from "../gen/accounts/v1/account_link_calls.ts";
import { LinkButton } from "../ui/button.tsx";
import { Head } from "../ui/card.tsx";
import { Failed, Notice, Skeleton } from "../ui/state.tsx";

/** Where the browser comes back to from another platform, when it was left to link an identity. */
export default function Linked() {
  const [done, setDone] = useState("");
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const finish = async () => {
      const { provider, answer } = comeBack("link");
      await finishAccountLink(answer);
      void refresh("ListLinkedAccounts");
      setDone(PLATFORMS[provider]);
    };
    finish().catch(setError);
  }, []);
  return (
    <>
      <Head title="Link an identity" back={["/settings?view=security", "Signing in"]} />
      <div className="stack narrowed">
        {error !== undefined ? (
          <Failed error={error} />
        ) : done ? (
          <Notice tone="good" icon="check">
            You can sign in with {done} from now on.
          </Notice>
        ) : (
          <Skeleton lines={2} />
        )}
        {(done || error !== undefined) && (
          <div className="row">
            <LinkButton href="/settings?view=security">Go to the settings</LinkButton>
          </div>
        )}
      </div>
    </>
  );
}
