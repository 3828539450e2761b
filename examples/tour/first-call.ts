// The first chapter: a call, a write and its result.
import { createConsoleClient } from "@fieldmesh/console-client";
import type { RunningSandbox } from "@fieldmesh/sandbox";
import { prove, say, show } from "./screen.ts";

/** Calls the console of a sandbox for the first time. */
export async function tourFirstCall(sandbox: RunningSandbox): Promise<void> {
  const { baseUrl, apiKey } = sandbox.console;
  const client = createConsoleClient({ baseUrl, apiKey });

  say(`A sandbox of the device console listens at ${baseUrl}. It keeps what you write.`);
  await show(() => client.organization.list());
  const created = await show(() => client.labels.create({ name: "Pumping stations" }));
  const found = await show(() => client.labels.find({ name: "Pumping stations" }), ["id", "name"]);
  prove(
    "A method for each endpoint",
    found?.id === created.id,
    "the label that you created is read back by its name",
  );
}
