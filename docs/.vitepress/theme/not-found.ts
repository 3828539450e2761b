import { defineComponent, h } from "vue";
import { withBase } from "vitepress";

const PLACES = [
  ["Getting started", "/guides/getting-started"],
  ["Endpoints", "/reference/console"],
  ["Events", "/events"],
] as const;

/** The page for an address that leads nowhere. */
export const NotFound = defineComponent({
  name: "NotFound",
  setup: () => () =>
    h("div", { class: "fm-not-found" }, [
      h("p", { class: "fm-eyebrow" }, "404 not found"),
      h("h1", "No device responds at this address."),
      h("p", [
        "The page was moved, or the link is wrong. Search with ",
        h("kbd", "Ctrl K"),
        ", go to the ",
        h("a", { href: withBase("/") }, "start page"),
        ", or open one of these:",
      ]),
      h(
        "ul",
        PLACES.map(([label, link]) => h("li", h("a", { href: withBase(link) }, label))),
      ),
    ]),
});
