import { Link } from "wouter";
import { count } from "../core/format.ts";
import { useInvitations } from "../core/invitations.ts";

/** A way to the invitations, on every page, as long as one waits for an answer. */
export default function Invited() {
  const waiting = useInvitations();
  return waiting > 0 ? (
    <Link href="/invitations" className="badge" data-tone="info" data-shape="ring" title="Invitations">
      {count(waiting)} <span className="roomy">{waiting === 1 ? "invitation" : "invitations"}</span>
    </Link>
  ) : null;
}
