import { type RunCommand, textOf } from "../command.ts";
import { CommandError } from "../command-error.ts";
import { readLocalUrl, readSecret } from "../read-input.ts";
import { shownUrl } from "../../engine/webhooks/shown-url.ts";
import { makeEvent, readEvent } from "./make-event.ts";
import { post, postRecord } from "./send-request.ts";

export const run: RunCommand = async (context, input) => {
  const { output, signal } = context;
  const { type, overrides } = readEvent(input);
  const url = readLocalUrl("to", textOf(input, "to"));
  const event = makeEvent(type, overrides);
  const secret = await readSecret(context, input);
  output.note(`Receiver  ${shownUrl(url)}`);
  const posted = await post(event, { url, secret, signal });
  const { id } = event as { id: string };
  const { status, outcome, isAccepted } = posted;
  if (output.isJson) await output.record({ id, type, url: shownUrl(url), ...postRecord(posted) });
  else await output.line(`${type}  ${id}  responded ${status} ${outcome}`.trimEnd());
  if (!isAccepted) throw new CommandError(`The receiver did not accept the event.`);
};
