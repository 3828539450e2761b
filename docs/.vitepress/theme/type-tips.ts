const NEAR = 8;

/** Shows the type of a name in a sample while the pointer is on it, until Escape. The keyboard has the list of type-list.ts. */
export function showTypes(): void {
  const tip = document.createElement("div");
  tip.className = "fm-tip";
  // The list of types has the same text; a screen reader would read the tip out of place.
  tip.setAttribute("aria-hidden", "true");
  tip.hidden = true;
  document.body.append(tip);
  document.addEventListener("pointerover", ({ target }) => {
    const name = target instanceof Element ? target.closest<HTMLElement>("[data-type]") : null;
    tip.hidden = name === null || name.closest("pre") === null;
    if (tip.hidden) return;
    tip.textContent = name!.dataset["type"]!;
    const { left, bottom } = name!.getBoundingClientRect();
    tip.style.left = `${Math.max(NEAR, Math.min(left, innerWidth - tip.offsetWidth - NEAR))}px`;
    tip.style.top = `${bottom + NEAR / 2}px`;
  });
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") tip.hidden = true;
  });
  document.addEventListener("scroll", () => (tip.hidden = true), { passive: true });
}
