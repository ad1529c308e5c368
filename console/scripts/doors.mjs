// What a person sees before the pages and over them: the doors of the console, and its windows. For the scripts that look at each of them.
import { openBrowser, startFirst } from "./run.mjs";

const heading = (page, name) => page.getByRole("heading", { name, exact: true }).waitFor({ timeout: 60_000 });
const signIn = async (page, { url }) => {
  await page.goto(url, { timeout: 90_000 });
  await heading(page, "Sign in");
};
async function showSignUp(page, server, signUpOpen) {
  await page.route("**/GetServerInfo", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), signUpOpen } });
  });
  await signIn(page, server);
  await page.getByRole("button", { name: "No account yet?" }).click();
  await page.unroute("**/GetServerInfo");
}
/** Each shows itself to someone who is not signed in. */
export const DOORS = {
  "sign-in": signIn,
  forgotten: async (page, server) => {
    await signIn(page, server);
    await page.getByRole("button", { name: "Forgot the password?" }).click();
    await heading(page, "New password");
  },
  "sign-up": async (page, server) => {
    await showSignUp(page, server, true);
    await page.getByRole("button", { name: "Create the account" }).waitFor();
  },
  "sign-up, closed": async (page, server) => {
    await showSignUp(page, server, false);
    await page.getByText("Sign-up is closed at this server.").waitFor();
  },
  code: async (page, server) => {
    await signIn(page, server);
    await page.getByLabel("E-mail address").fill(server.demo.email);
    await page.getByLabel("Password").fill(server.demo.password);
    await page.keyboard.press("Enter");
    await heading(page, "Code from your app");
  },
  setup: async (page, { url }) => {
    await page.goto(`${url}/setup#tpe_story`);
    await heading(page, "Welcome");
  },
  "new-password": async (page, { url }) => {
    await page.goto(`${url}/reset-password`);
    await heading(page, "New password");
  },
};

/** The page that offers a second factor: only an owner who has just set the first password sees it. */
export async function showSecondFactor({ port, options }, look) {
  const first = await startFirst({ port });
  const { browser, page } = await openBrowser(first, options);
  try {
    await page.goto(first.setupUrl);
    await page.getByLabel("The owner's address").fill(first.email);
    for (const name of ["New password", "The same once more"]) await page.getByLabel(name).fill("copper lantern under seven bridges");
    await page.getByRole("button", { name: "Save it and sign in" }).click();
    await heading(page, "Add a second factor");
    await look(page);
  } finally {
    await browser.close();
    await first.stop();
  }
}

const dialog = (page) => page.getByRole("dialog").first();
const press = (name) => (page) => page.getByRole("button", { name, exact: true }).press("Enter");
/** What is shown over a page: where, how it is opened, and what is there then. */
export const WINDOWS = {
  "command bar": ["/", (page) => page.keyboard.press("Control+k"), (page) => page.getByRole("combobox").first()],
  menu: ["/", press("You and the workspace"), (page) => page.getByRole("menu").first()],
  "calls of the page": ["/", press("Copy the calls of this page"), dialog],
  halt: ["/", press("Halt"), dialog],
  "stop everything": ["/", press("Stop everything"), dialog],
  "selected rows": [
    "/purchases",
    async (page) => {
      await page.locator("main tr.goes a.cell").first().focus();
      await page.keyboard.press("Space");
    },
    (page) => page.getByRole("region", { name: "Selected rows" }),
  ],
  "step-up": [
    "/keys",
    async (page) => {
      await page.route("**/CreateAPIKey", (route) =>
        route.fulfill({
          status: 400,
          contentType: "application/json",
          headers: { "x-error-reason": "STEP_UP_REQUIRED" },
          body: JSON.stringify({ code: "failed_precondition", message: "confirm with the second factor" }),
        }),
      );
      await press("New key")(page);
      await page.getByLabel("Name").fill("axe");
      await press("Create the key")(page);
    },
    (page) => page.getByRole("heading", { name: "Confirm that it is you" }),
  ],
};
