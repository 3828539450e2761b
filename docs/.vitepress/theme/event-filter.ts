import { computed, defineComponent, h, onMounted, ref, watch, type VNode } from "vue";

/** Hides the events of the page that were not asked for. Without JavaScript all of them are there. */
export const EventFilter = defineComponent({
  name: "EventFilter",
  setup() {
    const words = ref("");
    const family = ref("");
    const families = ref<string[]>([]);
    const found = ref(0);
    const total = ref(0);
    const label = computed(() => `${found.value} of ${total.value} events`);

    const apply = (): void => {
      const asked = words.value.toLowerCase().split(/\s+/).filter(Boolean);
      found.value = 0;
      for (const group of all<HTMLElement>("section.fm-family")) {
        const isOther = family.value !== "" && group.dataset["family"] !== family.value;
        let isEmpty = true;
        for (const event of all<HTMLElement>("section.fm-event", group)) {
          const text =
            `${event.dataset["type"]} ${event.querySelector("p")?.textContent}`.toLowerCase();
          event.hidden = isOther || !asked.every((word) => text.includes(word));
          if (event.hidden) continue;
          isEmpty = false;
          found.value++;
        }
        group.hidden = isEmpty;
      }
    };

    onMounted(() => {
      families.value = all<HTMLElement>("section.fm-family").map(
        (group) => group.dataset["family"] ?? "",
      );
      total.value = all("section.fm-event").length;
      words.value = new URLSearchParams(location.search).get("filter") ?? "";
      apply();
    });
    watch([words, family], apply);

    return (): VNode =>
      h(
        "form",
        { class: "fm-filter", role: "search", onSubmit: (event: Event) => event.preventDefault() },
        [
          h("label", [
            "Filter",
            h("input", {
              type: "search",
              placeholder: "sim, invoice paid, threshold …",
              value: words.value,
              onInput: (event: Event) => (words.value = (event.target as HTMLInputElement).value),
            }),
          ]),
          h("label", [
            "Family",
            h(
              "select",
              {
                value: family.value,
                onChange: (event: Event) =>
                  (family.value = (event.target as HTMLSelectElement).value),
              },
              [
                h("option", { value: "" }, "all"),
                ...families.value.map((name) => h("option", { value: name, key: name }, name)),
              ],
            ),
          ]),
          h("output", { "aria-live": "polite" }, label.value),
        ],
      );
  },
});

function all<E extends Element>(selector: string, within: ParentNode = document): E[] {
  return [...within.querySelectorAll<E>(selector)];
}
