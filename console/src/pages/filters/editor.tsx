import { useLocation } from "wouter";
import { count, when } from "../../core/format.ts";
import { read, show } from "../../core/ids.ts";
import { may, queries, refresh, useCall } from "../../core/queries.ts";
import { createFilterSet, deleteFilterSet, getFilterSet, updateFilterSet } from "../../gen/contracts/v1/filter_set_calls.ts";
import type { FilterSet } from "../../gen/contracts/v1/filter_set_pb.ts";
import { Action } from "../../ui/action.tsx";
import { Card, Facts, Head } from "../../ui/card.tsx";
import type { Values } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Failed, Skeleton } from "../../ui/state.tsx";
import { say } from "../../ui/toast.tsx";
import { inWords, rulesOf, SECTIONS, startOf } from "./rules.ts";
import { TestRules } from "./test-rules.tsx";
import { Versions } from "./versions.tsx";

export default function FilterEditor({ id = "" }: { id?: string }) {
  const [, go] = useLocation();
  const query = useCall(getFilterSet, { filterSetId: read(id) }, { enabled: id !== "", staleTime: Infinity });
  const f = query.data?.filterSet;
  const back: [string, string] = ["/filters", "Filter sets"];
  if (id && query.isLoadingError)
    return (
      <>
        <Head title="Filter set" back={back} />
        <Failed error={query.error} again={query.refetch} />
      </>
    );
  if (id && !f)
    return (
      <>
        <Head title="Filter set" back={back} />
        <Skeleton lines={10} />
      </>
    );
  const save = async (v: Values) => {
    const rules = rulesOf(v),
      name = v.name!.trim();
    const saved = f
      ? (await updateFilterSet({ filterSetId: f.id!, name, rules, expectedVersion: f.version })).filterSet
      : (await createFilterSet({ name, rules })).filterSet;
    queries.removeQueries({ queryKey: ["GetFilterSet"] });
    await refresh("ListFilterSets", "GetFilterSets", "CountFilterSets");
    say("Saved.");
    go(f ? "/filters" : `/filters/${show(saved?.id)}`);
  };
  const edits = may(f ? updateFilterSet : createFilterSet);
  return (
    <>
      <Head
        title={f?.name ?? "New filter set"}
        back={back}
        note={
          f
            ? `${count(f.contractCount)} ${f.contractCount === 1 ? "contract uses" : "contracts use"} it. A change applies to all of them from the engine's next pass.`
            : "Every rule that is set has to be met, and one at least has to be set."
        }
      >
        {f && (
          <Action
            label="Delete"
            kind="danger"
            danger
            call={deleteFilterSet}
            title={`Delete “${f.name}”?`}
            confirm="Delete the filter set"
            done="Deleted."
            old={["ListFilterSets", "CountFilterSets", "GetFilterSets"]}
            text={
              <p>{f.contractCount ? "Contracts use it, so the server will refuse: take it out of them first." : "No contract uses it."}</p>
            }
            run={async () => {
              await deleteFilterSet({ filterSetId: f.id! });
              go("/filters");
            }}
          />
        )}
      </Head>
      {edits ? (
        <Form
          key={String(f?.version ?? "new")}
          start={startOf(f?.name ?? "", f?.rules)}
          sections={() => SECTIONS}
          save={save}
          label={f ? "Save" : "Create the filter set"}
          aside={(v) => (
            <>
              <TestRules rules={rulesOf(v)} />
              {f && <Record f={f} />}
              {f && <Versions f={f} />}
            </>
          )}
        />
      ) : (
        <div className="split">
          <Card title="Lets through">
            <p>{inWords(f?.rules)}</p>
          </Card>
          <div className="stack">
            {f && <Record f={f} />}
            {f && <Versions f={f} />}
          </div>
        </div>
      )}
    </>
  );
}
const Record = ({ f }: { f: FilterSet }) => (
  <Card title="Record">
    <Facts
      of={[
        ["Written", when(f.createdAt)],
        ["Changed", when(f.updatedAt)],
        ["Version", String(f.version ?? "")],
        ["Id", <span className="mono">{show(f.id)}</span>],
      ]}
    />
  </Card>
);
