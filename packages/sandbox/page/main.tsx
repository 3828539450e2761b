import { render } from "preact";
import { App } from "./app.tsx";
import { takeToken } from "./api.ts";
import { followAddress } from "./views.ts";

takeToken();
followAddress();
render(<App />, document.querySelector("#app")!);
