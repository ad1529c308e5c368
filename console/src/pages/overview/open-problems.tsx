import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { ago, several } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { marketNow } from "../../core/live.ts";
import { useSubjectNames } from "../../core/subject-names.ts";
import { getRemediations, listRemediations } from "../../gen/contracts/v1/remediation_calls.ts";
import { RemediationSeverity as S, RemediationStatus as R, type Remediation } from "../../gen/contracts/v1/remediation_pb.ts";
import { Card } from "../../ui/card.tsx";
import { Empty, Loaded } from "../../ui/state.tsx";
import { Status } from "../../ui/status.tsx";
import { evidenceOf, problemName } from "../problems/words.ts";

const SHOWN = 5;
/** The same problem of many records is one line: ten contracts that no engine serves hide no missing item. */
function grouped(rows: readonly Remediation[]): Remediation[][] {
  const found = new Map<string, Remediation[]>();
  for (const r of rows) found.set(problemName(r), [...(found.get(problemName(r)) ?? []), r]);
  return [...found.values()].sort((a, b) => (b[0]!.severity ?? 0) - (a[0]!.severity ?? 0));
}
/** The problems that wait for a person, the worst first. */
export default function OpenProblems() {
  const query = useQuery({
    queryKey: ["CountRemediations", "open"],
    queryFn: async ({ signal }) => {
      const { remediationIds } = await listRemediations({ status: R.NEEDS_OPERATOR, limit: 100 }, { signal });
      return remediationIds.length ? (await getRemediations({ remediationIds }, { signal })).remediations : [];
    },
  });
  const groups = grouped(query.data ?? []).slice(0, SHOWN);
  const names = useSubjectNames(groups.map((g) => g[0]!));
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
        {() =>
          groups.length === 0 ? (
            <Empty icon="check" title="Nothing waits for you.">
              <p>What the service cannot solve by itself appears here.</p>
            </Empty>
          ) : (
            <ol className="feed brief" aria-label="Problems that need you">
              {groups.map(([r, ...rest]) => (
                <li key={show(r!.id)}>
                  <Status name={S[r!.severity ?? 0]} />
                  <span className="what">
                    <Link href={rest.length ? "/problems?status=NEEDS_OPERATOR" : `/problems/${show(r!.id)}`}>{problemName(r!)}</Link>
                    <small>
                      {names.get(show(r!.subjectId))?.name || evidenceOf(r!).found || r!.reason}
                      {rest.length > 0 && ` and ${several(rest.length, "other", "others")}`}
                    </small>
                  </span>
                  <time>{ago(r!.createdAt, marketNow())}</time>
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </Card>
  );
}
