import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { ago } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { marketNow } from "../../core/live.ts";
import { getRemediations, listRemediations } from "../../gen/contracts/v1/remediation_calls.ts";
import { RemediationSeverity as S, RemediationStatus as R } from "../../gen/contracts/v1/remediation_pb.ts";
import { Card } from "../../ui/card.tsx";
import { Empty, Loaded } from "../../ui/state.tsx";
import { Status } from "../../ui/status.tsx";
import { kindName } from "../problems/words.ts";

/** The problems that wait for a person, the worst first. */
export function OpenProblems() {
  const query = useQuery({
    queryKey: ["CountRemediations", "open"],
    queryFn: async ({ signal }) => {
      const { remediationIds } = await listRemediations({ status: R.NEEDS_OPERATOR, limit: 20 }, { signal });
      const found = remediationIds.length ? (await getRemediations({ remediationIds }, { signal })).remediations : [];
      return found.sort((a, b) => (b.severity ?? 0) - (a.severity ?? 0)).slice(0, 5);
    },
  });
  return (
    <Card
      className="c4"
      title="Open problems"
      flush
      extra={
        <Link href="/problems" className="textlink muted">
          All problems
        </Link>
      }
    >
      <Loaded query={query} lines={4}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon="check" title="Nothing waits for you.">
              <p>What the service cannot solve by itself appears here.</p>
            </Empty>
          ) : (
            <ol className="feed" aria-label="Problems that need you">
              {rows.map((r) => (
                <li key={show(r.id)}>
                  <Status name={S[r.severity ?? 0]} />
                  <span className="what">
                    <Link href={`/problems/${show(r.id)}`}>{kindName(r.kind)}</Link>
                    <small>{r.evidence?.found || r.evidence?.expected || r.reason}</small>
                  </span>
                  <time>{ago(r.createdAt, marketNow())}</time>
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </Card>
  );
}
