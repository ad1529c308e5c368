// A list of 100,000 purchases, scrolled page by page. Its answers can be made here, because no demo has so many.

/** Ids of 16 bytes. */
const id = (n) => Buffer.from(n.toString(16).padStart(32, "0"), "hex").toString("base64");
const numberOf = (id) => parseInt(Buffer.from(id, "base64").toString("hex"), 16);
const COUNT = 100_000;
/** The cursor is the number of the first of 100 to a page. */
const ANSWERS = {
  CountPurchases: () => ({ counts: [{ status: "PURCHASE_STATUS_SETTLED", count: COUNT }] }),
  ListPurchases: ({ cursor }) => {
    const at = Number(cursor || 0);
    return { purchaseIds: Array.from({ length: 100 }, (_, n) => id(at + n + 1)), nextCursor: at + 100 < COUNT ? String(at + 100) : "" };
  },
  GetPurchases: ({ purchaseIds }) => ({
    purchases: purchaseIds.map((id) => ({
      id,
      marketHashName: `AK-47 | Redline (Field-Tested) ${numberOf(id)}`,
      status: "PURCHASE_STATUS_SETTLED",
      marketplace: "simulator",
      accountName: "trader-1",
      buyPriceCents: "1234",
      createdAt: "2026-11-01T00:00:00Z",
    })),
  }),
};

/** Answers for the server, until what this returns is called. */
export async function answerLongList(page) {
  const ours = new RegExp(`/(${Object.keys(ANSWERS).join("|")})$`);
  await page.route(ours, (route) => {
    const request = route.request();
    return route.fulfill({ json: ANSWERS[request.url().split("/").at(-1)](request.postDataJSON()) });
  });
  return () => page.unroute(ours);
}

/** Scrolls 20 pages, and says how many milliseconds each took and the most rows that were in the document. */
export async function scrollLongList(page) {
  // From another page, so that what was answered before is not shown.
  await page.evaluate(() => history.pushState(null, "", "/"));
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await page.evaluate(() => history.pushState(null, "", "/purchases"));
  const rows = page.locator("main tbody tr[data-at]");
  await rows.first().waitFor();
  const times = [];
  let most = 0;
  for (let n = 1; n <= 20; n += 1) {
    // In the page: the way from here to there and back would be measured too. Again and again, because the page is only as long as what is
    // loaded.
    const took = await page.evaluate(
      ([top, at]) =>
        new Promise((done) => {
          const begun = performance.now();
          const look = () => {
            scrollTo(0, top);
            if (document.querySelector(`main tr[data-at="${at}"]`)) done(performance.now() - begun);
            else requestAnimationFrame(look);
          };
          look();
        }),
      [n * 100 * 40 + 400, n * 100 + 8],
    );
    times.push(Math.round(took));
    most = Math.max(most, await rows.count());
  }
  return { times, most };
}
