import { render } from "preact";
import { App } from "./app.tsx";
import { takeToken } from "./token.ts";
import { followAddress } from "./views.ts";

takeToken();
followAddress();
render(<App />, document.querySelector("#app")!);
