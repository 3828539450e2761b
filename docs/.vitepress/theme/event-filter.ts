import { defineComponent, onMounted } from "vue";
// oxlint-disable-next-line import/no-unassigned-import -- styles have nothing to assign
import "./reference.css";

/** Makes the form above the event catalog work. Without JavaScript all events are visible. */
export const EventFilter = defineComponent({
  name: "EventFilter",
  setup() {
    onMounted(filterEvents);
    return () => undefined;
  },
});

/** The address keeps the filter, so that a link to it shows the same events. */
function filterEvents(): void {
  const form = document.querySelector<HTMLFormElement>("form.fm-filter")!;
  const [words, family] = form.querySelectorAll<HTMLInputElement>("input, select");
  const output = form.querySelector("output")!;
  const apply = (): void => {
    const asked = words!.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const group of all("section.fm-family")) {
      const isOther = !["", group.dataset["family"]].includes(family!.value);
      const events = all("section.fm-event", group);
      for (const event of events) {
        const text =
          `${event.dataset["type"]} ${event.querySelector("p")?.textContent}`.toLowerCase();
        event.hidden = isOther || !asked.every((word) => text.includes(word));
      }
      group.hidden = events.every(({ hidden }) => hidden);
    }
    const found = all("section.fm-event").filter(({ hidden }) => !hidden).length;
    output.value = `${found} of ${all("section.fm-event").length} events`;
  };
  const keep = (): void => {
    const filter = new URLSearchParams();
    if (words!.value !== "") filter.set("filter", words!.value);
    if (family!.value !== "") filter.set("family", family!.value);
    history.replaceState(history.state, "", `?${filter}`.replace(/\?$/, location.pathname));
    apply();
  };
  const asked = new URLSearchParams(location.search);
  words!.value = asked.get("filter") ?? "";
  family!.value = asked.get("family") ?? "";
  form.addEventListener("input", keep);
  form.addEventListener("submit", (event) => event.preventDefault());
  apply();
  revealTarget(() => {
    words!.value = family!.value = "";
    apply();
  });
}

/** Shows the event that the address names, also when the filter hides it. */
function revealTarget(clearFilter: () => void): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target === null) return;
  if (target.closest("[hidden]") !== null) clearFilter();
  target.scrollIntoView();
}

function all(selector: string, within: ParentNode = document): HTMLElement[] {
  return [...within.querySelectorAll<HTMLElement>(selector)];
}
