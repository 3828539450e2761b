import { nextTick } from "vue";
import { inBrowser, type Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { CodeTabs } from "./code-tabs.ts";
import { EventFilter } from "./event-filter.ts";
import { Figures } from "./figures.ts";
import { rememberTabs, showChosenTabs } from "./remember-tabs.ts";
import { SampleRun } from "./sample-run.ts";
import { showTerms } from "./terms.ts";
import { listTypes } from "./type-list.ts";
import { showTypes } from "./type-tips.ts";
// oxlint-disable-next-line import/no-unassigned-import -- styles have nothing to assign
import "./style.css";
// oxlint-disable-next-line import/no-unassigned-import -- styles have nothing to assign
import "./home.css";
// oxlint-disable-next-line import/no-unassigned-import -- styles have nothing to assign
import "./tables.css";
// oxlint-disable-next-line import/no-unassigned-import -- styles have nothing to assign
import "./print.css";

const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp: ({ app, router }) => {
    app.component("CodeTabs", CodeTabs);
    app.component("EventFilter", EventFilter);
    app.component("Figures", Figures);
    app.component("SampleRun", SampleRun);
    if (inBrowser) {
      rememberTabs();
      showTerms();
      showTypes();
    }
    router.onAfterPageLoad = () =>
      void nextTick(() => {
        if (!inBrowser) return;
        showChosenTabs();
        listTypes();
      });
  },
};

// oxlint-disable-next-line import/no-default-export -- VitePress asks for it
export default theme;
