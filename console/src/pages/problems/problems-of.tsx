import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { show } from "../../core/ids.ts";
import { may } from "../../core/queries.ts";
import { trouble } from "../../core/trouble.ts";
import { getRemediations, listRemediations } from "../../gen/contracts/v1/remediation_calls.ts";
import { RemediationStatus as R } from "../../gen/contracts/v1/remediation_pb.ts";
import type { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/state.tsx";
import { kindCost, problemName } from "./words.ts";

const UNSOLVED = [R.NEEDS_OPERATOR, R.OPEN, R.WORKING, R.WAITING];
/** The problems of one record that are not solved, those that wait for a person first. It has one of a kind at most. */
export const useProblemsOf = (subjectType: T, subjectId: Uint8Array) =>
  useQuery({
    queryKey: ["CountRemediations", "of", show(subjectId)],
    staleTime: 30_000,
    enabled: may(listRemediations),
    queryFn: async ({ signal }) => {
      const { remediationIds } = await listRemediations({ subjectType, subjectId, limit: 200 }, { signal });
      const found = remediationIds.length ? (await getRemediations({ remediationIds }, { signal })).remediations : [];
      return UNSOLVED.flatMap((status) => found.filter((r) => r.status === status));
    },
  });
/** They are on the page of the record. Brief, where the page says itself what it costs. */
export function ProblemsOf({ type, id, brief = false }: { type: T; id: Uint8Array; brief?: boolean }) {
  const query = useProblemsOf(type, id);
  const own = query.data;
  return (
    <>
      {query.isLoadingError && (
        <Notice>
          <b>Whether it has open problems is not known.</b> {trouble(query.error).text}{" "}
          <Button onPress={() => void query.refetch()}>Try again</Button>
        </Notice>
      )}
      {own?.map((r) => (
        <Notice key={show(r.id)} tone={r.status === R.NEEDS_OPERATOR ? "bad" : ""}>
          <b>{problemName(r)}.</b> {!brief && kindCost(r.kind)}{" "}
          <Link href={`/problems/${show(r.id)}`}>{r.status === R.NEEDS_OPERATOR ? "See what to do" : "See how it is handled"}</Link>
        </Notice>
      ))}
    </>
  );
}
