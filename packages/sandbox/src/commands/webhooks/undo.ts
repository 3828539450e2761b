import { isRecord } from "@fieldmesh/core/internal";
import type { RunCommand } from "../command.ts";
import { findSandbox, notASandbox } from "./controls.ts";

export const run: RunCommand = async (context, input) => {
  const { output } = context;
  const response = await findSandbox(context, input).call("POST", "/sandbox/undo", { body: {} });
  if (!isRecord(response) || typeof response["iso"] !== "string") throw notASandbox();
  if (output.isJson) await output.record({ undone: true, time: response["iso"] });
  else
    await output.line(`undone: everything is as it was before going back, at ${response["iso"]}`);
};
