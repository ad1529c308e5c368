// Before the first paint: the theme and density that the person chose, so that nothing flashes. A file, not inline, because of the CSP.
(() => {
  try {
    const { theme, density } = JSON.parse(localStorage.getItem("tp.look") || "{}");
    if (theme && theme !== "system") document.documentElement.dataset.theme = theme;
    if (density) document.documentElement.dataset.density = density;
  } catch {
    // Without storage the system's theme is used.
  }
})();
