import * as consoleApi from "../hey-api/console";
import { createClient as createConsole } from "../hey-api/console/client";
import * as ledgerApi from "../hey-api/ledger";
import { createClient as createLedger } from "../hey-api/ledger/client";
import * as mapperApi from "../hey-api/mapper";
import { createClient as createMapper } from "../hey-api/mapper/client";
import * as mobileApi from "../hey-api/mobile";
import { createClient as createMobile } from "../hey-api/mobile/client";
import { label, type Run, subscriber, uplink } from "./program";

export const run: Run = async (sandbox) => {
  const throwOnError = true;
  const { consoleKey, mobileKey } = sandbox;
  const inConsole = {
    client: createConsole({ baseUrl: sandbox.console, auth: () => consoleKey }),
    throwOnError,
  } as const;
  const inLedger = { client: createLedger({ baseUrl: sandbox.ledger }), throwOnError } as const;
  const inMapper = { client: createMapper({ baseUrl: sandbox.mapper }), throwOnError } as const;
  const inMobile = {
    client: createMobile({ baseUrl: sandbox.mobile, auth: () => mobileKey }),
    throwOnError,
  } as const;
  const path = { address: sandbox.account };
  const created = await consoleApi.labelsCreate({ ...inConsole, body: label });
  const labels = await consoleApi.labelsList(inConsole);
  const { cursor } = (await ledgerApi.blocksList(inLedger)).data;
  const blocks = await ledgerApi.blocksList({ ...inLedger, query: { cursor } });
  const account = await ledgerApi.accountsGet({ ...inLedger, path });
  // The response is text without a content type.
  await mapperApi.mapperIngest({ ...inMapper, body: uplink, parseAs: "text" });
  const added = await mobileApi.subscribersCreate({ ...inMobile, body: subscriber });
  const id: string = created.data.id;
  return {
    created: { ...created.data, id },
    labels: labels.data,
    blocks: blocks.data.data,
    account: account.data.data,
    subscriber: added.data,
  };
};
