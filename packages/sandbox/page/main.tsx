import { render } from "preact";
import { App } from "./app.tsx";
import { takeToken } from "./token.ts";

takeToken();
render(<App />, document.querySelector("#app")!);
