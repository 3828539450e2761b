// Runs the checks and prints the findings as its last line. `run-suite.ts` starts it on each runtime.
import { conform } from "./checks/index.ts";
import type { Setting } from "./setting.ts";

const setting = JSON.parse(process.env["CONFORMANCE_SETTING"] ?? "") as Setting;
console.log(JSON.stringify(await conform(setting)));
