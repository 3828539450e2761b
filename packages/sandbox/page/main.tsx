import { render } from "preact";
import { App } from "./app.tsx";
import { takeToken } from "./api.ts";
import { readZone } from "./preferences.tsx";
import { followAddress } from "./views.ts";

takeToken();
readZone();
followAddress();
render(<App />, document.querySelector("#app")!);
