import { defineComponent, h } from "vue";
import { useData, withBase } from "vitepress";
import type { Figure } from "../../site/figures.ts";

/** The measured figures of the landing page, each with the command that prints it. */
export const Figures = defineComponent({
  name: "Figures",
  setup() {
    const { frontmatter } = useData();
    return () =>
      h(
        "ul",
        { class: "fm-figures" },
        (frontmatter.value["figures"] as readonly Figure[]).map(({ value, claim, command, link }) =>
          h("li", [
            h("strong", value),
            h("span", claim),
            h("a", { href: withBase(link) }, [h("code", `npm run ${command}`)]),
          ]),
        ),
      );
  },
});
