// Runs the checks and prints the findings as its last line. It is started by `run-suite.ts` on one runtime after the other.
import { conform } from "./checks/index.ts";
import type { Setting } from "./setting.ts";

const setting = JSON.parse(process.env["CONFORMANCE_SETTING"] ?? "") as Setting;
console.log(JSON.stringify(await conform(setting)));
