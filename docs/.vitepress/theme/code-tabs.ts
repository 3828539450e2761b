import { defineComponent, h, ref, useId, type PropType } from "vue";

/**
 * Tabs of code with its output, on the landing page. Each label has a slot of its name in lower case. All panels keep
 * their room, so that nothing moves when one chooses another.
 */
export const CodeTabs = defineComponent({
  name: "CodeTabs",
  props: { labels: { type: Array as PropType<readonly string[]>, required: true } },
  setup({ labels }, { slots }) {
    const id = useId();
    const chosen = ref(0);
    function choose(index: number, event: Event): void {
      chosen.value = (index + labels.length) % labels.length;
      const list = (event.currentTarget as HTMLElement).parentElement!;
      (list.children[chosen.value] as HTMLElement).focus();
    }
    function onKeydown(event: KeyboardEvent): void {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step !== undefined) choose(chosen.value + step, event);
    }
    const tab = (label: string, index: number) =>
      h(
        "button",
        {
          type: "button",
          role: "tab",
          id: `${id}-tab-${index}`,
          "aria-selected": index === chosen.value,
          "aria-controls": `${id}-${index}`,
          tabindex: index === chosen.value ? 0 : -1,
          onClick: (event: Event) => choose(index, event),
          onKeydown,
        },
        label,
      );
    const panel = (label: string, index: number) =>
      h(
        "div",
        {
          role: "tabpanel",
          id: `${id}-${index}`,
          "aria-labelledby": `${id}-tab-${index}`,
          class: { "fm-panel": true, "fm-chosen": index === chosen.value },
        },
        slots[label.toLowerCase()]?.(),
      );
    return () =>
      h("div", { class: "fm-tabs" }, [
        h("div", { role: "tablist", "aria-label": "Samples" }, labels.map(tab)),
        h("div", { class: "fm-panels" }, labels.map(panel)),
      ]);
  },
});
