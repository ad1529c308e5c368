// What a person with a keyboard, a small window or a high zoom needs of a page, of a door, and of a window over a page. Each is named by a
// selector, its scope.

/** What is wider than the window, or goes beyond its edge where nothing can be scrolled. */
export const sidewaysOf = (page, scope = "main") =>
  page.evaluate((scope) => {
    const out = [];
    const wide = document.documentElement.scrollWidth - innerWidth;
    if (wide > 0) out.push(`the page is ${wide} px wider than the window`);
    for (let p = document.querySelector(scope); p && p !== document.documentElement; p = p.parentElement)
      if (p.scrollWidth > p.clientWidth + 1 && getComputedStyle(p).overflowX !== "visible")
        out.push(`${p.className || p.tagName} is scrolled sideways`);
    const scrolls = (e) => {
      for (let p = e.parentElement; p && p !== document.body; p = p.parentElement) {
        const { overflowX } = getComputedStyle(p);
        if (overflowX === "auto" || overflowX === "scroll") return true;
        if (overflowX === "hidden") return true;
      }
      return false;
    };
    for (const e of document.querySelectorAll(`${scope} :is(a, button, input, select, textarea, h1, h2, dd, td, th, p)`)) {
      const box = e.getBoundingClientRect();
      if (box.width > 1 && box.right > innerWidth + 1 && !scrolls(e)) out.push(`goes beyond the edge: ${e.textContent.slice(0, 40)}`);
    }
    for (const e of document.querySelectorAll(`${scope} th[role=rowheader] .cell`))
      if (e.checkVisibility() && e.getBoundingClientRect().width < 80)
        out.push(`no room for the name of a row: ${e.textContent.slice(0, 40)}`);
    return out.slice(0, 5);
  }, scope);

/** The scope of the window that this is in. */
export async function scopeOf(shown) {
  await shown.evaluate((e) => (e.closest("[role=dialog], [role=menu], [role=region]").dataset.scope = ""));
  return "[data-scope]";
}
const inScope = (page, scope, locator) => page.locator(scope).locator(locator);

/** Marks every stop of the scope, and says how many there are. Of a group of choices one is a stop; the arrows go to all items of a menu. */
const mark = (scope) => {
  for (const e of document.querySelectorAll("[data-stop]")) delete e.dataset.stop;
  const items = document.querySelectorAll(`${scope}[role=menu] [role^=menuitem]`);
  const stops = items.length ? items : document.querySelectorAll(`${scope} :is(a[href], button, input, select, textarea, [tabindex])`);
  let n = 0;
  for (const e of stops) {
    if (e.disabled || (e.tabIndex < 0 && !items.length) || !e.checkVisibility({ visibilityProperty: true })) continue;
    e.dataset.stop = String(n++);
  }
  return n;
};
/** What is wrong with the element that has the focus now. */
const look = (scope) => {
  const e = document.activeElement;
  if (!e || e === document.body) return { stop: undefined, name: "", fault: "" };
  const name = `${e.tagName.toLowerCase()} "${(e.getAttribute("aria-label") ?? e.textContent ?? "").trim().slice(0, 40)}"`;
  const style = getComputedStyle(e);
  const box = e.getBoundingClientRect();
  const isClipped = (p) => p && ((p.clientWidth === 1 && getComputedStyle(p).overflow === "hidden") || isClipped(p.parentElement));
  const isOutlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  const x = Math.min(Math.max(box.left + Math.min(box.width / 2, 40), 1), innerWidth - 2);
  const y = Math.min(Math.max((Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2, 1), innerHeight - 2);
  const at = document.elementFromPoint(x, y);
  const isSeen = !isClipped(e) && box.width > 0 && box.bottom > 0 && box.top < innerHeight && at && (e.contains(at) || at.contains(e));
  return {
    stop: e.dataset.stop,
    inside: Boolean(e.closest(scope)),
    isInRow: Boolean(e.closest("tr[data-at]")),
    name,
    fault: !isOutlined ? "has no visible focus" : !isSeen ? `is covered by ${at?.className || at?.tagName}, or outside of the window` : "",
  };
};

/** Goes through the scope with the tabulator, or through a menu with the arrows, forwards and back. */
export async function walk(page, scope = "main") {
  // Of the rows of a table the last one that had the focus is a stop: the first one, as for a person who comes to the page.
  const role = await page.evaluate(async (scope) => {
    document.querySelector(`${scope} tr[data-at="0"] :is(a, button, input)`)?.focus();
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    scrollTo(0, 0);
    const all = document.querySelector(scope);
    if (!all.hasAttribute("tabindex")) all.tabIndex = -1;
    all.focus();
    return all.role;
  }, scope);
  const [forwards, back] = role === "menu" ? ["ArrowDown", "ArrowUp"] : ["Tab", "Shift+Tab"];
  const total = await page.evaluate(mark, scope);
  // Each part of a time or a day is a stop of its own.
  const parts = 7 * (await inScope(page, scope, "input[type=datetime-local], input[type=date], input[type=time]").count());
  const seen = new Set();
  const faults = new Set();
  const step = async (key) => {
    await page.keyboard.press(key);
    // No hand is quicker than a frame: a browser brings a field into view when it draws, and only the field that has the focus then.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    let at = await page.evaluate(look, scope);
    // A busy machine draws late, and the page still scrolls to what has the focus.
    for (let n = 0; n < 30 && at.fault; n += 1) {
      await page.waitForTimeout(60);
      at = await page.evaluate(look, scope);
    }
    if (at.stop !== undefined) seen.add(at.stop);
    if (at.fault) faults.add(`${key}: ${at.name} ${at.fault}`);
    if (role === "dialog" && !at.inside) faults.add(`${key} leaves the window`);
    return at;
  };
  // Rows come as the focus goes down, and the stops in them are not among those that were marked.
  let come = 0;
  for (let n = 0; n < total + parts + 5 + Math.min(come, 500); n += 1) {
    const at = await step(forwards);
    if (!at.inside) break;
    if (at.stop === undefined && at.isInRow) come += 1;
  }
  for (let n = 0; n < Math.min(total, 25); n += 1) if (!(await step(back)).inside && n > 0) break;
  const left = await page.evaluate(
    ([scope, seen, isLong]) =>
      [...document.querySelectorAll(`${scope} [data-stop]`)]
        .filter((e) => !seen.includes(e.dataset.stop) && (e.tabIndex >= 0 || e.role?.startsWith("menuitem")) && e.checkVisibility())
        // The rows of a long table come and go with the window, and their keys are the arrows. What is around the table is reached in any case.
        .filter((e) => !isLong || !e.closest("tr[data-at]"))
        .map((e) => (e.getAttribute("aria-label") ?? e.textContent ?? e.name).trim().slice(0, 40)),
    [scope, [...seen], total >= 100],
  );
  if (left.length > 0) faults.add(`the keys leave out ${left.slice(0, 3).join(", ")}`);
  return { stops: seen.size, faults: [...faults].slice(0, 4) };
}

/** Whether Enter in the last field of a door sends its form. A door without a form has nothing to send. */
export async function sendWithEnter(page) {
  const field = page.locator("main form input:not([type=checkbox])").last();
  if ((await field.count()) === 0) return [];
  await page.evaluate(() => addEventListener("submit", () => (document.body.dataset.sent = ""), { capture: true, once: true }));
  await field.focus();
  await page.keyboard.press("Enter");
  return (await page.locator("body[data-sent]").count()) ? [] : ["Enter sends no form"];
}
/** Remembers what has the focus, in turn, so that it is known from where a window was opened. */
export const rememberFocus = (page) =>
  page.evaluate(() => {
    window.focusedBefore = [document.body];
    addEventListener("focusin", (e) => window.focusedBefore.push(e.target), true);
  });
/** Whether Escape closes the window of a scope, and the focus goes to where it was opened. */
export async function leaveWithEscape(page, scope) {
  await page.evaluate((scope) => {
    const all = document.querySelector(scope);
    window.openedAt = window.focusedBefore.findLast((e) => !all.contains(e) && e.isConnected);
    // A window closes at a key that it gets itself.
    if (!all.contains(document.activeElement)) all.focus();
  }, scope);
  await page.keyboard.press("Escape");
  const closed = await page
    .locator(scope)
    .waitFor({ state: "detached", timeout: 5000 })
    .then(
      () => true,
      () => false,
    );
  if (!closed) return ["Escape does not close it"];
  return page
    .waitForFunction(() => document.activeElement === window.openedAt, null, { timeout: 5000 })
    .then(
      () => [],
      async () => [`after Escape the focus is on "${(await focused(page)).slice(0, 30)}"`],
    );
}

/** What a form says of a field that is not right, or of a call that was refused. */
const WRONG = "main :is([aria-invalid], .wrong, .notice.bad)";
/** Notes the calls of the page from now on, but for the one that waits for changes. What it returns ends that and gives their methods. */
function listen(page) {
  const calls = [];
  const hear = (request) => {
    const method = new URL(request.url()).pathname.split("/").at(-1);
    if (request.method() === "POST" && method !== "WatchTransitions") calls.push(method);
  };
  page.on("request", hear);
  return () => (page.off("request", hear), calls);
}
const focused = (page) => page.evaluate(() => (document.activeElement?.textContent ?? "").trim());
/** Does what a page is for: opens a record, opens and leaves the window of an action, chooses one of several, or sends a form. */
export async function actWithKeys(page, url) {
  const done = [];
  const faults = [];
  const again = async () => {
    await page.goto(url);
    await page.locator("main h1").waitFor();
    await page.waitForFunction(() => !document.querySelector("main .skel"), null, { timeout: 20_000 });
  };
  await again();
  const row = page.locator("main tr.goes a.cell").first();
  if (await row.count()) {
    const before = page.url();
    await row.focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page
      .waitForURL((to) => to.href !== before, { timeout: 10_000 })
      .then(
        () => done.push("a row opens"),
        () => faults.push("Enter opens no row"),
      );
    await again();
  }
  const opens = page.locator("main :is(.acts, .card > header, .doings, .body > .row) button.btn:not(:disabled)");
  for (let n = 0; n < Math.min(await opens.count(), 6); n += 1) {
    const button = opens.nth(n);
    const label = await button.innerText();
    if (/CSV|Copy|Show|Try|Verify|Test|Look up/.test(label)) continue;
    const before = page.url();
    const calls = listen(page);
    await button.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    const opened = await dialog.waitFor({ timeout: 5000 }).then(
      () => true,
      () => false,
    );
    const asked = calls();
    if (!opened) {
      // Some do at once what they are for, as one that reads a list again.
      if (asked.length === 0 && page.url() === before) faults.push(`Enter on ${label} does nothing`);
      await again();
      continue;
    }
    const inside = await page.evaluate(() => Boolean(document.activeElement?.closest("[role=dialog], [role=alertdialog]")));
    if (!inside) faults.push(`the focus is not in the window of ${label}`);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached", timeout: 5000 }).catch(() => faults.push(`Escape does not close ${label}`));
    await page.waitForTimeout(50);
    if ((await focused(page)) !== label.trim())
      faults.push(`after Escape the focus is not on ${label}, but on "${(await focused(page)).slice(0, 30)}"`);
    done.push(label);
    break;
  }
  const group = page.locator('main [role="radiogroup"]').first();
  if (await group.count()) {
    const chosen = group.locator('[aria-checked="true"]');
    const before = (await chosen.count()) ? await chosen.innerText() : "";
    await group.locator('[tabindex="0"]').focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForTimeout(50);
    if ((await group.locator("button").count()) > 1 && (await chosen.innerText()) === before) faults.push("an arrow chooses nothing");
    else done.push("a choice");
    await again();
  }
  const kinds = page.locator("main .facets[role=group]").first();
  if (await kinds.count()) {
    await kinds.locator('[tabindex="0"]').focus();
    await page.keyboard.press("ArrowRight");
    const name = await focused(page);
    await page.keyboard.press("Space");
    await page.waitForTimeout(100);
    if ((await kinds.locator('[aria-pressed="true"]').first().innerText()).charAt(0) !== name.charAt(0))
      faults.push("Space chooses no kind");
    else done.push("a kind");
    await again();
  }
  const form = page.locator("main form:not(:has(input[type=search])) button[type=submit]:not(:disabled)").first();
  if (await form.count()) {
    const before = await page.locator(WRONG).count();
    const calls = listen(page);
    await form.focus();
    await page.keyboard.press("Enter");
    // It is sent, or it says what is missing.
    const says = await page
      .waitForFunction(([wrong, before]) => document.querySelectorAll(wrong).length > before, [WRONG, before], { timeout: 3000 })
      .then(
        () => true,
        () => false,
      );
    if (says || calls().length > 0) done.push("a form");
    else faults.push(`Enter on ${(await focused(page)) || "the button of the form"} sends nothing, and the form does not say why`);
  }
  if (done.length === 0) {
    const opener = page.locator("main :is(.plainlink, .facts a, .textlink, .empty a, a.btn)").first();
    const before = page.url();
    if (await opener.count()) {
      await opener.focus();
      await page.keyboard.press("Enter");
      await page
        .waitForFunction((was) => location.href !== was || document.querySelector("[role=dialog]"), before, { timeout: 5000 })
        .then(
          () => done.push("what it shows opens"),
          () => faults.push("Enter opens nothing"),
        );
    }
  }
  return { done, faults };
}

/** Each page by the command bar: Ctrl-K, its name, Enter. */
export async function goByCommand(page) {
  const faults = [];
  await page.setViewportSize({ width: 1440, height: 900 });
  const places = await page.evaluate(() => [...document.querySelectorAll(".rail nav a")].map((a) => [a.title, a.getAttribute("href")]));
  const box = page.getByRole("combobox", { name: "Search or go to" });
  for (const [name, path] of places) {
    await page.keyboard.press("Control+k");
    await box.fill(name);
    await page.getByRole("option", { name, exact: false }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL((to) => to.pathname === path, { timeout: 10_000 }).catch(() => faults.push(`${name} is not reached`));
    await box.waitFor({ state: "detached" });
  }
  return faults;
}
