// oxlint-disable-next-line import/no-unassigned-import -- styles have nothing to assign
import "./terms.css";

const LINK = '.vp-doc a[href*="glossary.html#"]';
/** Time to move the pointer from the link to its tooltip. */
const GRACE = 300;

/**
 * Shows the meaning of a term beside each link to the glossary: on hover, on focus, until Escape. Without JavaScript the
 * link leads there. The meaning is the first paragraph of the entry, and comes from the glossary's own page.
 */
export function showTerms(): void {
  const tip = document.createElement("div");
  tip.id = "fm-term";
  tip.role = "tooltip";
  tip.popover = "manual";
  let current: HTMLAnchorElement | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function show(link: HTMLAnchorElement): Promise<void> {
    clearTimeout(timer);
    if (current === link) return;
    hide();
    current = link;
    const meaning = await meaningOf(link);
    if (meaning === undefined || current !== link) return;
    tip.textContent = meaning;
    // Beside the link, so that it is within the main part of the page.
    link.after(tip);
    tip.showPopover();
    link.setAttribute("aria-describedby", tip.id);
    place();
  }

  function place(): void {
    if (current === undefined) return;
    const { left, top, bottom } = current.getBoundingClientRect();
    const isBelow = bottom + tip.offsetHeight < innerHeight;
    tip.style.left = `${Math.max(0, Math.min(left, document.documentElement.clientWidth - tip.offsetWidth))}px`;
    tip.style.top = `${isBelow ? bottom : top - tip.offsetHeight}px`;
  }

  function hide(): void {
    clearTimeout(timer);
    current?.removeAttribute("aria-describedby");
    current = undefined;
    tip.hidePopover();
  }

  const linkAt = ({ target }: Event): HTMLAnchorElement | undefined =>
    (target instanceof Element && target.closest<HTMLAnchorElement>(LINK)) || undefined;
  for (const type of ["pointerover", "focusin"])
    document.addEventListener(type, (event) => {
      const link = linkAt(event);
      if (link !== undefined) void show(link);
      else if (event.target === tip) clearTimeout(timer);
    });
  document.addEventListener("pointerout", ({ target }) => {
    if (target === tip || target === current) timer = setTimeout(hide, GRACE);
  });
  document.addEventListener("focusout", hide);
  // Moving the pointer to a link may scroll the page.
  document.addEventListener("scroll", place, { passive: true });
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") hide();
  });
}

let glossary: Promise<Document> | undefined;

async function meaningOf({ pathname, hash }: HTMLAnchorElement): Promise<string | undefined> {
  glossary ??= fetch(pathname)
    .then((response) => response.text())
    .then((html) => new DOMParser().parseFromString(html, "text/html"));
  const page = await glossary.catch(() => undefined);
  return page?.getElementById(hash.slice(1))?.nextElementSibling?.textContent ?? undefined;
}
