"use strict";
const token = location.hash.slice(1);
// The token must not stay in the address bar or the history.
history.replaceState(null, "", location.pathname);
const button = document.querySelector("button");
const outcome = document.getElementById("outcome");
if (!token) {
  button.disabled = true;
  outcome.textContent = "This link is not complete. Copy it whole from the mail.";
}
// What the request needs besides the token. A code of six digits is the authenticator app's.
function request() {
  const body = { token };
  for (const input of document.querySelectorAll("input")) {
    if (input.value) body[input.name] = input.value;
  }
  if (body.code) {
    body.method = /^\d{6}$/.test(body.code) ? "TWO_FACTOR_METHOD_TOTP" : "TWO_FACTOR_METHOD_RECOVERY_CODE";
  }
  return body;
}
button.addEventListener("click", async () => {
  button.disabled = true;
  outcome.textContent = "One moment …";
  try {
    const answer = await fetch("/accounts.v1.Accounts/" + button.dataset.operation, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(request()),
    });
    if (answer.ok) {
      const known = await answer.json();
      outcome.textContent = button.dataset.done.replace(/\{(\w+)\}/g, (_, field) => known[field]);
      return;
    }
    const error = await answer.json();
    outcome.textContent = "That did not work: " + error.message + ".";
  } catch {
    outcome.textContent = "The server cannot be reached. Try again in a moment.";
  }
  button.disabled = false;
});
