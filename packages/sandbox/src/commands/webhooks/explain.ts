import { explain, type LikelyCause } from "@fieldmesh/webhook-types/explain";
import { type RunCommand, textOf } from "../command.ts";
import { CommandError } from "../command-error.ts";
import { readSecret } from "../read-input.ts";
import { arrivalOptions, readSavedDelivery } from "./saved-delivery.ts";

export const run: RunCommand = async (context, input) => {
  const { output } = context;
  const message = await readSavedDelivery(context, input);
  const options = arrivalOptions(input);
  const secret = await readSecret(context, input);
  const explanation = await explain({ ...options, secret }, message);
  if (explanation.isVerified) {
    if (output.isJson) await output.record({ verified: true });
    else await output.line("verified: nothing to explain");
    return;
  }
  const { reason } = explanation;
  const isTimed = textOf(input, "at") !== undefined;
  const causes = explanation.causes.map((cause) => (isTimed ? byTime(cause) : cause));
  if (output.isJson)
    await output.record({ verified: false, reason, causes: causes.map(causeRecord) });
  else
    for (const { cause, message: text, isProved } of causes)
      await output.line(`${cause}${isProved ? "" : " (a guess)"}: ${text}`);
  throw new CommandError(`Not verified: ${reason}.`);
};

/** Describes a wrong time by `--at` instead of the clock of this machine. */
function byTime(likely: LikelyCause): LikelyCause {
  const message =
    "The signature matches, but it was not made within 5 minutes of --at. Correct --at, or treat the delivery as a replay.";
  return likely.cause === "clock_skew" ? { ...likely, message } : likely;
}

function causeRecord({ cause, message, isProved }: LikelyCause): object {
  return { cause, message, proved: isProved };
}
