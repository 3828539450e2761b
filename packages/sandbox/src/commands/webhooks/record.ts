import { type RunCommand, textOf } from "../command.ts";
import { readPort, readReceiverUrl, readSecret } from "../read-input.ts";
import { shownUrl } from "../../engine/webhooks/shown-url.ts";
import { shellWord } from "../../shell-text.ts";
import { serveDeliveries } from "./delivery-server.ts";
import { openRecording } from "./recording.ts";
import { showArrival, verifierOf } from "./show-arrival.ts";

const USUAL_FILE = "deliveries.ndjson";

export const run: RunCommand = async (context, input) => {
  const { output, signal, program } = context;
  const port = readPort(input);
  const to = textOf(input, "forwardTo");
  const forwardTo = to === undefined ? undefined : readReceiverUrl("forward-to", to);
  const verify = verifierOf(await readSecret(context, input));
  const path = textOf(input, "out") ?? USUAL_FILE;
  const recording = await openRecording(path);
  try {
    const server = await serveDeliveries({
      port,
      verify,
      forwardTo,
      store: (event) => recording.add(event),
      report: (arrival) => showArrival(output, arrival),
    });
    try {
      output.note(`Recorder  ${server.origin}`);
      output.note(
        `Receiver  ${forwardTo === undefined ? "none: every verified delivery is accepted" : shownUrl(forwardTo)}`,
      );
      output.note(`File      ${path}`);
      output.note("Point your tunnel at the recorder. Press Ctrl-C to stop it.");
      await server.until(signal);
    } finally {
      await server.close();
    }
  } finally {
    await recording.close();
  }
  output.note(`Send them again: ${program} replay --from ${shellWord(path)} --to <url>`);
};
