export type Theme = "light" | "dark" | "system";
export type Density = "comfortable" | "compact";
export interface Look {
  theme: Theme;
  density: Density;
}
const KEY = "tp.look";

export function look(): Look {
  try {
    const l = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Look>;
    return { theme: l.theme ?? "system", density: l.density ?? "comfortable" };
  } catch {
    return { theme: "system", density: "comfortable" };
  }
}
export function setLook(change: Partial<Look>): void {
  const l = { ...look(), ...change };
  localStorage.setItem(KEY, JSON.stringify(l));
  const root = document.documentElement;
  if (l.theme === "system") delete root.dataset.theme;
  else root.dataset.theme = l.theme;
  root.dataset.density = l.density;
}
export function flipTheme(): void {
  const { theme } = look();
  const dark = theme === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
  setLook({ theme: dark ? "light" : "dark" });
}
