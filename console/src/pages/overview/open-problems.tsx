import { Link } from "wouter";
import { ago, several } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { marketNow } from "../../core/live.ts";
import { useSubjectNames } from "../../core/subject-names.ts";
import { RemediationSeverity as S, RemediationStatus as R, type Remediation } from "../../gen/contracts/v1/remediation_pb.ts";
import { Card } from "../../ui/card.tsx";
import { Empty, Loaded } from "../../ui/state.tsx";
import { Status } from "../../ui/status.tsx";
import { useUnsolved } from "../problems/problems-of.tsx";
import { evidenceOf, problemName } from "../problems/words.ts";

const SHOWN = 5;
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
/** The problems that are open: those that wait for a person first, then the worst. */
export default function OpenProblems() {
  const query = useUnsolved();
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
