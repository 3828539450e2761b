import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { EventFilter } from "./event-filter.ts";
import "./style.css";

const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => {
    app.component("EventFilter", EventFilter);
  },
};

export default theme;
