import { WebhookVerificationError } from "@fieldmesh/webhook-types";
import { EventParseError, parseEvent, redactEvent } from "@fieldmesh/webhook-types/parse";
import type { RunCommand } from "../command.ts";
import { CommandError } from "../command-error.ts";
import { readSecret } from "../read-input.ts";
import { printable } from "./describe-delivery.ts";
import { arrivalOptions, readSavedDelivery } from "./saved-delivery.ts";
import { verifierOf } from "./show-arrival.ts";

export const run: RunCommand = async (context, input) => {
  const { output } = context;
  const message = await readSavedDelivery(context, input);
  const options = arrivalOptions(input);
  const verify = verifierOf(await readSecret(context, input), options);
  const { timestamp } = await verify(message).catch((error: unknown) => {
    if (!(error instanceof WebhookVerificationError)) throw error;
    throw new CommandError(`Not verified: ${error.reason}. \`explain\` lists likely causes.`, 1, {
      cause: error,
    });
  });
  const signedAt = new Date((timestamp ?? 0) * 1_000).toISOString();
  const event = parse(message.body);
  if (output.isJson)
    return output.record({ verified: true, signed_at: signedAt, event: redactEvent(event) });
  await output.line(printable(`verified  signed ${signedAt}  ${event.type}  ${event.id}`));
};

function parse(body: unknown) {
  try {
    return parseEvent(body, { validation: "off" });
  } catch (error) {
    if (!(error instanceof EventParseError)) throw error;
    throw new CommandError(
      `The signature matches, but the body is not an event: ${error.message}`,
      1,
      { cause: error },
    );
  }
}
