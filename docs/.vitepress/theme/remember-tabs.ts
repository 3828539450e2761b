const KEY = "fieldmesh-tabs";
const GROUP = ".vp-code-group";

/** Keeps the tab that a reader has chosen, such as pnpm or Fastify, in all code groups and on later pages. */
export function rememberTabs(): void {
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.closest(GROUP) === null) return;
    const label = labelOf(target);
    localStorage.setItem(
      KEY,
      JSON.stringify([label, ...readLabels().filter((each) => each !== label)]),
    );
    const before = target.getBoundingClientRect().top;
    showChosenTabs();
    // Groups above may be taller now: what the reader looks at stays where it is.
    scrollBy(0, target.getBoundingClientRect().top - before);
  });
}

/** Shows, in each code group of the page, the tab that was chosen last. */
export function showChosenTabs(): void {
  const labels = readLabels();
  for (const group of document.querySelectorAll(GROUP)) {
    const inputs = [...group.querySelectorAll("input")];
    const chosen = labels
      .map((label) => inputs.findIndex((input) => labelOf(input) === label))
      .find((index) => index >= 0);
    if (chosen === undefined) continue;
    inputs[chosen]!.checked = true;
    const blocks = group.querySelector(".blocks")?.children ?? [];
    [...blocks].forEach((block, index) => block.classList.toggle("active", index === chosen));
  }
}

function labelOf({ labels }: HTMLInputElement): string {
  return labels?.[0]?.textContent?.trim() ?? "";
}

function readLabels(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter((label) => typeof label === "string") : [];
  } catch {
    // A browser may deny the storage; then nothing is remembered.
    return [];
  }
}
