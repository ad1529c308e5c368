import { count } from "../../core/format.ts";
import { useInvitations } from "../../core/invitations.ts";
import { place } from "../../core/place.ts";
import { Card, Head } from "../../ui/card.tsx";
import { Answer } from "./answer.tsx";

/** What other workspaces have invited the person to. */
export default function Invitations() {
  const waiting = useInvitations();
  return (
    <>
      <Head
        title="Invitations"
        note={
          waiting
            ? `${count(waiting)} ${waiting === 1 ? "waits" : "wait"} for your answer, sent to ${place.email || "your address"}.`
            : "Nothing waits for your answer."
        }
      />
      <div className="narrowed">
        <Card title="Answer an invitation" note="The link of its mail shows it, and the person to whom the mail was sent can answer">
          <Answer />
        </Card>
      </div>
    </>
  );
}
