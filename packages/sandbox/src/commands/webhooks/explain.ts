import { explain } from "@fieldmesh/webhook-types/explain";
import type { RunCommand } from "../command.ts";
import { CommandError } from "../command-error.ts";
import { readSecret } from "../read-input.ts";
import { arrivalOptions, readSavedDelivery } from "./saved-delivery.ts";

/** Finds out why a saved delivery is not verified. */
export const run: RunCommand = async (context, input) => {
  const { output } = context;
  const message = await readSavedDelivery(input);
  const options = arrivalOptions(input);
  const secret = await readSecret(context, input);
  const explanation = await explain({ ...options, secret }, message);
  if (output.isJson) await output.record(explanation);
  if (explanation.isVerified) {
    if (!output.isJson) await output.line("verified: nothing to explain");
    return;
  }
  const { reason, causes } = explanation;
  if (!output.isJson)
    for (const { cause, message: text, isProved } of causes)
      await output.line(`${cause}${isProved ? "" : " (a guess)"}: ${text}`);
  throw new CommandError(`Not verified: ${reason}.`);
};
