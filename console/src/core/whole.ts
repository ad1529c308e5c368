/** The most that one call gives. */
const PAGE = 200;
/** With their records these are 50 calls: a person may send that many at once. */
const MOST = 5_000;
const AT_ONCE = 4;

/** Ids in packs for one call each. */
export const packsOf = <T>(ids: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(ids.length / PAGE) }, (_, n) => ids.slice(n * PAGE, (n + 1) * PAGE));

/** Does it to each, some at once. The answers are in the order of what they are for. */
export async function someAtOnce<T, R>(of: readonly T[], act: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let i = 0; i < of.length; i += AT_ONCE) done.push(...(await Promise.all(of.slice(i, i + AT_ONCE).map(act))));
  return done;
}

type Asked = { limit: number; cursor: string };
/** All records of a list that is not scrolled, such as the choices of a field: page after page, up to the first 5,000. */
export async function wholeList<R>(
  list: (asked: Asked) => Promise<{ ids: Uint8Array[]; next?: string | undefined }>,
  get: (ids: Uint8Array[]) => Promise<R[]>,
): Promise<R[]> {
  const packs: Uint8Array[][] = [];
  let cursor = "";
  do {
    const { ids, next = "" } = await list({ limit: PAGE, cursor });
    if (ids.length) packs.push(ids);
    cursor = next;
  } while (cursor && packs.length < MOST / PAGE);
  return (await someAtOnce(packs, get)).flat();
}
