import { labelsCreate, labelsList } from "../kubb/console";
import { accountsGet, blocksList } from "../kubb/ledger";
import { mapperIngest } from "../kubb/mapper";
import type { Client } from "../kubb/mapper/.kubb/fetch";
import { subscribersCreate } from "../kubb/mobile";
import { label, type Run, subscriber, uplink } from "./program";

export const run: Run = async (sandbox) => {
  // Its client sends JSON without saying so.
  const json = { "content-type": "application/json" };
  const inConsole = { baseURL: sandbox.console, headers: { ...json, key: sandbox.consoleKey } };
  const inLedger = { baseURL: sandbox.ledger };
  const inMapper = { baseURL: sandbox.mapper, headers: json, client: readText };
  const authorization = `Bearer ${sandbox.mobileKey}`;
  const inMobile = { baseURL: sandbox.mobile, headers: { ...json, authorization } };
  const created = await labelsCreate(label, inConsole);
  const { cursor } = await blocksList(undefined, inLedger);
  await mapperIngest(uplink, inMapper);
  const id: string = created.id;
  return {
    created: { ...created, id },
    labels: await labelsList(undefined, inConsole),
    blocks: (await blocksList({ cursor }, inLedger)).data,
    account: (await accountsGet(sandbox.account, inLedger)).data,
    subscriber: await subscribersCreate(subscriber, undefined, inMobile),
  };
};

/** Its client reads every response as JSON. */
const readText: Client = async ({ baseURL, url, method, headers, data }) => {
  const init = { method, headers, body: JSON.stringify(data) };
  const response = await fetch(`${baseURL}${url}`, init);
  const { status, statusText } = response;
  return { status, statusText, headers: response.headers, data: (await response.text()) as never };
};
