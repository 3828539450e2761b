import { nextTick } from "vue";
import { inBrowser, type Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { EventFilter } from "./event-filter.ts";
// oxlint-disable-next-line import/no-unassigned-import -- styles have nothing to assign
import "./style.css";

const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp: ({ app, router }) => {
    app.component("EventFilter", EventFilter);
    router.onAfterPageLoad = () => void nextTick(nameMainPart);
  },
};

// oxlint-disable-next-line import/no-default-export -- VitePress asks for it
export default theme;

/** VitePress gives pages a `<main>`, and the landing page none; the built page has the role already. */
function nameMainPart(): void {
  if (inBrowser) document.querySelector(".VPContent.is-home")?.setAttribute("role", "main");
}
