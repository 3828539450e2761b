import { defineComponent, onMounted } from "vue";

/** Makes the form above the event catalog work. Without JavaScript all events are there. */
export const EventFilter = defineComponent({
  name: "EventFilter",
  setup() {
    onMounted(filterEvents);
    return () => undefined;
  },
});

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
  words!.value = new URLSearchParams(location.search).get("filter") ?? "";
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  apply();
}

function all(selector: string, within: ParentNode = document): HTMLElement[] {
  return [...within.querySelectorAll<HTMLElement>(selector)];
}
