import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { ago, count, several } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { marketNow } from "../../core/live.ts";
import { may } from "../../core/queries.ts";
import { useSubjectNames } from "../../core/subject-names.ts";
import { countRemediations, getRemediations, listRemediations } from "../../gen/contracts/v1/remediation_calls.ts";
import { RemediationSeverity as S, RemediationStatus as R, type Remediation } from "../../gen/contracts/v1/remediation_pb.ts";
import { Card } from "../../ui/card.tsx";
import { Empty, Loaded } from "../../ui/state.tsx";
import { Status } from "../../ui/status.tsx";
import { evidenceOf, problemName } from "../problems/words.ts";

const SHOWN = 5;
/** How many of one status are read at most. Where there are more, the critical ones are read first. */
const FEW = 50;
const IN_ORDER: readonly (readonly R[])[] = [[R.NEEDS_OPERATOR], [R.OPEN, R.WORKING, R.WAITING]];
const needsYou = (r: Remediation) => r.status === R.NEEDS_OPERATOR;
/** The same problem of many records is one line: ten contracts that no engine serves hide no missing item. */
function grouped(rows: readonly Remediation[]): Remediation[][] {
  const found = new Map<string, Remediation[]>();
  for (const r of rows) {
    const key = `${problemName(r)} ${needsYou(r)}`;
    found.set(key, [...(found.get(key) ?? []), r]);
  }
  const weight = ([r]: Remediation[]) => (r!.severity ?? 0) + (needsYou(r!) ? 10 : 0);
  return [...found.values()].sort((a, b) => weight(b) - weight(a));
}
/** The number of the problems that are open, and as many of the worst as are shown. No list is in the order of severity. */
async function worst(signal: AbortSignal) {
  const { counts } = await countRemediations({}, { signal });
  const of = (status: R) => counts.find((c) => c.status === status)?.count ?? 0;
  const found: Remediation[] = [];
  let isCut = false;
  for (const statuses of IN_ORDER) {
    const some = statuses.filter((status) => of(status) > 0);
    const severities = some.some((status) => of(status) > FEW) ? [S.CRITICAL, S.WARNING, S.INFO] : [S.UNSPECIFIED];
    for (const severity of severities) {
      if (some.length === 0 || grouped(found).length >= SHOWN) break;
      const lists = await Promise.all(some.map((status) => listRemediations({ status, severity, limit: FEW }, { signal })));
      isCut ||= lists.some((a) => a.nextCursor);
      const remediationIds = lists.flatMap((a) => a.remediationIds);
      if (remediationIds.length) found.push(...(await getRemediations({ remediationIds }, { signal })).remediations);
    }
  }
  const total = IN_ORDER.flat().reduce((sum, status) => sum + of(status), 0);
  return { total, groups: grouped(found).slice(0, SHOWN), isCut };
}
/** The problems that are open: those that wait for a person first, then the worst. */
export default function OpenProblems() {
  const query = useQuery({
    queryKey: ["CountRemediations", "worst"],
    staleTime: 30_000,
    enabled: may(listRemediations),
    queryFn: ({ signal }) => worst(signal),
  });
  const { total = 0, groups = [], isCut = false } = query.data ?? {};
  const names = useSubjectNames(groups.map((g) => g[0]!));
  return (
    <Card
      className="c4"
      title="Open problems"
      flush
      extra={
        <Link href="/problems" className="textlink muted">
          {total > 1 ? `All ${count(total)} problems` : "All problems"}
        </Link>
      }
    >
      <Loaded query={query} lines={4}>
        {() =>
          groups.length === 0 ? (
            <Empty icon="check" title="No problem is open.">
              <p>What goes wrong appears here, with who handles it.</p>
            </Empty>
          ) : (
            <ol className="feed brief" aria-label="Open problems, those that need you first">
              {groups.map(([r, ...rest]) => (
                <li key={show(r!.id)}>
                  <Status name={needsYou(r!) ? "NEEDS_OPERATOR" : S[r!.severity ?? 0]} />
                  <span className="what">
                    <Link href={rest.length ? `/problems?status=${R[r!.status ?? 0]}` : `/problems/${show(r!.id)}`}>{problemName(r!)}</Link>
                    <small>
                      {names.get(show(r!.subjectId))?.name || evidenceOf(r!).found || r!.reason}
                      {rest.length > 0 && ` and ${isCut ? "at least " : ""}${several(rest.length, "other", "others")}`}
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
