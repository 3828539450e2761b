import createClient from "openapi-fetch";
import type { paths as ConsolePaths } from "../openapi-typescript/console";
import type { paths as LedgerPaths } from "../openapi-typescript/ledger";
import type { paths as MapperPaths } from "../openapi-typescript/mapper";
import type { paths as MobilePaths } from "../openapi-typescript/mobile";
import { label, type Run, subscriber, uplink } from "./program";

export const run: Run = async (sandbox) => {
  const inConsole = createClient<ConsolePaths>({
    baseUrl: sandbox.console,
    headers: { key: sandbox.consoleKey },
  });
  const inLedger = createClient<LedgerPaths>({ baseUrl: sandbox.ledger });
  const inMapper = createClient<MapperPaths>({ baseUrl: sandbox.mapper });
  const inMobile = createClient<MobilePaths>({
    baseUrl: sandbox.mobile,
    headers: { authorization: `Bearer ${sandbox.mobileKey}` },
  });
  const path = { address: sandbox.account };
  const { data: created } = await inConsole.POST("/api/v1/labels", { body: label });
  const id: string = created?.id ?? "none";
  const cursor = (await inLedger.GET("/v1/blocks")).data?.cursor;
  const query = { cursor };
  const blocks = await inLedger.GET("/v1/blocks", { params: { query } });
  const account = await inLedger.GET("/v1/accounts/{address}", { params: { path } });
  // The response is text without a content type.
  await inMapper.POST("/api/v1/ingest/uplink", { body: uplink, parseAs: "text" });
  return {
    created: { ...created, id },
    labels: (await inConsole.GET("/api/v1/labels")).data,
    blocks: blocks.data?.data,
    account: account.data?.data,
    subscriber: (await inMobile.POST("/v1/subscribers", { body: subscriber })).data,
  };
};
