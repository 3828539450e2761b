import { styleText } from "node:util";
import type { Clock } from "@fieldmesh/core";
import manifest from "../../../package.json" with { type: "json" };
import { firstCurl } from "../../engine/controls/environment.ts";
import { shownUrl } from "../../engine/webhooks/shown-url.ts";
import type { RunningSandbox } from "../../server/start-sandbox.ts";
import { type ServiceName, services } from "../../services.ts";
import { shellWord } from "../../shell-text.ts";
import { environmentOf, exportLines } from "./environment.ts";
import type { SandboxSettings } from "./read-options.ts";
import { typedSwitches } from "./read-switches.ts";

/** Describes how to call a sandbox: addresses, keys, and lines to copy. */
export function describeSandbox(
  sandbox: RunningSandbox<Clock>,
  { faults, latency, seed, env, from, save, ...switches }: SandboxSettings,
  { hasSecret, program }: { readonly hasSecret: boolean; readonly program: string },
): string {
  const { apiKey } = sandbox;
  const facts = [
    ...services.flatMap(({ name }) => describeService(name, sandbox[name])),
    from === undefined ? ["Seed", seed ?? "1"] : ["From", from],
    ...(save === undefined ? [] : [["Save", save]]),
    // The user needs the secret for the receiver. A secret that the user passed is not shown.
    ...sandbox.webhooks.endpoints.map(({ url, secrets }) => [
      "Webhook",
      `${shownUrl(url)}  ${hasSecret ? "signed with your secret" : secrets[0]?.reveal()}`,
    ]),
    ...(latency === undefined ? [] : [["Latency", `${latency} ms`]]),
    ...(faults === undefined ? [] : [["Faults", faultText(faults)]]),
    ...typedSwitches(switches).map((typed, at) => [at === 0 ? "Switches" : "", typed]),
  ];
  const lines = facts.map(
    ([name = "", value = ""]) => `  ${styleText("dim", name.padEnd(8))}  ${value}`,
  );
  return [
    `${styleText("bold", `fieldmesh sandbox ${manifest.version}`)}  ${styleText("cyan", sandbox.page)}`,
    styleText(
      "dim",
      "Open this address to watch requests and deliveries. It contains a token: keep it to yourself.",
    ),
    "",
    ...lines,
    "",
    ...(env === undefined
      ? exportLines(environmentOf(sandbox)).map((line) => `  ${line}`)
      : [`  The addresses and keys are in ${env}: node --env-file=${env} <program>`]),
    "",
    `  ${firstCurl(sandbox.console.baseUrl, apiKey)}`,
    `  curl ${shellWord(`${sandbox.ledger.baseUrl}/v1/blocks/height`)}`,
    `  ${program} trigger sim.activated`,
    "",
    styleText("dim", "Press Ctrl-C to stop it."),
  ].join("\n");
}

function describeService(name: ServiceName, service: { baseUrl: string; apiKey?: string }) {
  const title = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
  const { baseUrl, apiKey } = service;
  const address = [title, styleText("cyan", baseUrl)];
  return apiKey === undefined ? [address] : [address, ["API key", styleText("cyan", apiKey)]];
}

function faultText({ rate, kinds, duration }: NonNullable<SandboxSettings["faults"]>): string {
  const share = `${+(rate * 100).toFixed(2)}% of requests`;
  const names = kinds?.map((kind) => (typeof kind === "object" ? `delay=${kind.ms}` : kind));
  const what = names === undefined ? share : `${share}: ${names.join(", ")}`;
  return duration === undefined ? what : `${what}, for ${duration / 1_000} s`;
}
