import { useState } from "react";
import { when } from "../core/format.ts";
import { show as idOf } from "../core/ids.ts";
import { place, rememberWorkspace } from "../core/place.ts";
import { useCall } from "../core/queries.ts";
import { trouble } from "../core/trouble.ts";
import { signOut } from "../gen/accounts/v1/session_calls.ts";
import { createWorkspace, listWorkspaces, restoreWorkspace } from "../gen/accounts/v1/workspace_calls.ts";
import type { Workspace } from "../gen/accounts/v1/workspace_pb.ts";
import { Answer } from "../pages/invitations/answer.tsx";
import { Button } from "../ui/button.tsx";
import { Fields, firstProblem, type Spec, type Values } from "../ui/field.tsx";
import { Notice } from "../ui/state.tsx";
import { AddEmail } from "./add-email.tsx";
import { AskedHost } from "./asked.tsx";
import { Door } from "./signin.tsx";

const SPECS: Spec[] = [
  { name: "name", label: "Name", required: true, wide: true, max: 64, placeholder: "Trading" },
  {
    name: "currency",
    label: "Currency of its accounts",
    kind: "select",
    wide: true,
    options: [
      ["USD", "US dollar"],
      ["EUR", "Euro"],
      ["GBP", "Pound sterling"],
      ["CNY", "Yuan"],
    ],
    hint: "All amounts are kept in it. It cannot be changed later.",
  },
];
export default function FirstWorkspace({ done }: { done: () => void }) {
  const [values, setValues] = useState<Values>({ currency: "USD" });
  const [show, setShow] = useState(false);
  const [problem, setProblem] = useState("");
  const [invited, setInvited] = useState(/^\/invitations\b/.test(location.pathname));
  const known = useCall(listWorkspaces, {});
  // Without another workspace there is no page of settings to restore one in.
  const deleted = known.data?.workspaces.filter((w) => w.deletedAt) ?? [];
  const failed = (x: unknown) => setProblem(trouble(x).text);
  const restore = async (w: Workspace) => {
    setProblem("");
    await restoreWorkspace({ workspaceId: w.id! });
    rememberWorkspace(idOf(w.id));
    done();
  };
  if (invited)
    return (
      <Door>
        <h1>Your invitation</h1>
        <Answer />
        <Button kind="quiet" onPress={() => setInvited(false)}>
          Make a workspace of your own
        </Button>
      </Door>
    );
  if (!place.email)
    return (
      <Door>
        <h1>Your address</h1>
        <p className="muted">
          You signed in with an identity of another platform. A workspace is owned by a person with an address: add yours.
        </p>
        <AddEmail />
        <Button kind="quiet" onPress={() => void signOut({}).finally(() => location.assign("/"))}>
          Sign out
        </Button>
      </Door>
    );
  return (
    <Door>
      <h1>{deleted.length ? "Your workspace" : "Your first workspace"}</h1>
      <p className="muted">A workspace holds contracts, accounts and money apart from those of others.</p>
      {deleted.map((w) => (
        <Notice key={idOf(w.id)} tone="info">
          <b>{w.name}</b> was deleted {when(w.deletedAt)}. Its owner can restore it for 30 days: its records are as they were, and its keys
          stay revoked. <Button onPress={() => restore(w).catch(failed)}>Restore {w.name}</Button>
        </Notice>
      ))}
      <form
        noValidate
        onSubmit={(e) => {
          e.preventDefault();
          setShow(true);
          if (!firstProblem(SPECS, values))
            createWorkspace({ name: values.name!.trim(), baseCurrency: values.currency! }).then(done, failed);
        }}
      >
        <Fields specs={SPECS} values={values} set={(n, v) => setValues((o) => ({ ...o, [n]: v }))} show={show} focusFirst />
        {problem && <Notice tone="bad">{problem}</Notice>}
        <Button kind="primary" type="submit">
          Create the workspace
        </Button>
      </form>
      <Button kind="quiet" onPress={() => setInvited(true)}>
        I was invited to one
      </Button>
      <AskedHost />
    </Door>
  );
}
