import { cancelImport } from "../../gen/trading/v1/import_calls.ts";
import type { Import } from "../../gen/trading/v1/import_pb.ts";
import type { BulkAction } from "../../ui/bulk.tsx";
import { IMPORTS, isOpen } from "./words.ts";

export const BULK: readonly BulkAction<Import>[] = [
  {
    label: "Cancel",
    danger: true,
    call: cancelImport,
    can: isOpen,
    text: <p>What they read is destroyed. Records that they have created or updated stay. To import the files later, begin again.</p>,
    run: (i, _v, key) => cancelImport({ importId: i.id!, expectedVersion: i.version }, { key }),
    old: IMPORTS,
  },
];
