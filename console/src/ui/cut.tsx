import { count } from "../core/format.ts";
import { MOST_ROWS, type Records } from "../core/queries.ts";

/** Says of a list that it has more rows than are loaded. */
export const Cut = ({ of }: { of: Pick<Records<unknown>, "cut"> }) =>
  of.cut && (
    <p className="muted body" role="status">
      Showing the first {count(MOST_ROWS)}. Choose filters to see others.
    </p>
  );
