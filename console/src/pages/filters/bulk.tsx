import { deleteFilterSet } from "../../gen/contracts/v1/filter_set_calls.ts";
import type { FilterSet } from "../../gen/contracts/v1/filter_set_pb.ts";
import type { BulkAction } from "../../ui/bulk.tsx";

export const BULK: readonly BulkAction<FilterSet>[] = [
  {
    label: "Delete",
    danger: true,
    call: deleteFilterSet,
    can: (f) => !f.contractCount,
    text: <p>No contract uses them. This cannot be undone.</p>,
    run: (f, _v, key) => deleteFilterSet({ filterSetId: f.id! }, { key }),
    old: ["ListFilterSets", "CountFilterSets", "GetFilterSets"],
  },
];
