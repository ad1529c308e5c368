import { setZone, when } from "../../core/format.ts";
import { useCall } from "../../core/queries.ts";
import { zones } from "../../core/zone.ts";
import { cancelEmailChange, changeEmail, listCredentials } from "../../gen/accounts/v1/credential_calls.ts";
import { deleteUser, getCurrentUser, updateUser } from "../../gen/accounts/v1/user_calls.ts";
import { AddEmail } from "../../shell/add-email.tsx";
import { Action } from "../../ui/action.tsx";
import { Card, Facts } from "../../ui/card.tsx";
import { Loaded } from "../../ui/state.tsx";

const OLD = ["GetCurrentUser", "ListCredentials"];
export function Profile() {
  const me = useCall(getCurrentUser, {});
  const ways = useCall(listCredentials, {});
  const u = me.data?.user;
  return (
    <>
      <Card
        title="Profile"
        extra={
          u && (
            <Action
              label="Edit"
              call={updateUser}
              title="Edit your profile"
              confirm="Save"
              done="Saved."
              old={OLD}
              start={{ name: u.displayName ?? "", locale: u.locale ?? "", zone: u.timezone ?? "" }}
              fields={[
                { name: "name", label: "Name", wide: true, max: 64, required: true },
                { name: "locale", label: "Language of mails", max: 16, placeholder: "en" },
                {
                  name: "zone",
                  label: "Time zone",
                  kind: "select",
                  options: zones(u.timezone ?? ""),
                  hint: "In which times are shown and typed.",
                },
              ]}
              run={async (v) => {
                await updateUser({
                  displayName: v.name!.trim(),
                  ...(v.locale ? { locale: v.locale.trim() } : {}),
                  ...(v.zone ? { timezone: v.zone } : {}),
                  expectedVersion: me.data?.version,
                });
                setZone(v.zone);
              }}
            />
          )
        }
      >
        <Loaded query={me}>
          {() => (
            <Facts
              of={[
                ["Name", u?.displayName],
                ["Language of mails", u?.locale || "not set"],
                ["Time zone", u?.timezone || "not set"],
                ["Since", when(u?.createdAt)],
              ]}
            />
          )}
        </Loaded>
      </Card>
      <Card
        title="E-mail address"
        extra={
          ways.data?.email && (
            <Action
              label="Change"
              call={changeEmail}
              title="Change your address"
              confirm="Send the mail"
              done="Open the link in the mail to the new address."
              old={OLD}
              text={<p>A link goes to the new address, and a notice to the old one.</p>}
              fields={[
                { name: "email", label: "New address", kind: "email", required: true, wide: true, autoComplete: "email" },
                {
                  name: "password",
                  label: "Your password",
                  kind: "password",
                  autoComplete: "current-password",
                  required: true,
                  wide: true,
                },
              ]}
              run={async (v) => void (await changeEmail({ newEmail: v.email!.trim(), password: v.password! }))}
            />
          )
        }
      >
        <Loaded query={ways}>
          {(w) => (
            <>
              <Facts
                of={[
                  ["Address", w.email || "none"],
                  ["Confirmed", w.emailVerified ? "yes" : "no"],
                  w.pendingEmail ? ["Waits for its link", w.pendingEmail] : undefined,
                ]}
              />
              {!w.email && !w.pendingEmail && (
                <div className="stack">
                  <AddEmail />
                </div>
              )}
              {w.pendingEmail && (
                <p className="row">
                  <Action
                    label="Cancel the change"
                    kind="quiet"
                    call={cancelEmailChange}
                    title="Cancel the change?"
                    confirm="Cancel the change"
                    done="Cancelled."
                    old={OLD}
                    run={async () => void (await cancelEmailChange({}))}
                  />
                </p>
              )}
            </>
          )}
        </Loaded>
      </Card>
      <Card
        title="Delete the account"
        note="Your sessions, keys and ways of signing in are deleted. What you did stays in the audit log of the workspaces."
        extra={
          <Action
            label="Delete"
            kind="danger"
            danger
            call={deleteUser}
            title="Delete your account?"
            confirm="Delete my account"
            fields={[
              {
                name: "sure",
                label: "Type “delete my account”",
                required: true,
                wide: true,
                check: (v) => (v === "delete my account" ? undefined : "Type exactly: delete my account"),
              },
            ]}
            run={async () => {
              await deleteUser({});
              location.assign("/");
            }}
          />
        }
      >
        <p className="muted">It cannot be undone. Transfer the workspaces that you own first, or delete them.</p>
      </Card>
    </>
  );
}
