import { Api as ConsoleApi } from "../swagger-typescript-api/console/api";
import { Api as LedgerApi } from "../swagger-typescript-api/ledger/api";
import { Api as MapperApi } from "../swagger-typescript-api/mapper/api";
import { Api as MobileApi } from "../swagger-typescript-api/mobile/api";
import { label, type Run, subscriber, uplink } from "./program";

export const run: Run = async (sandbox) => {
  const { api: inConsole } = new ConsoleApi({
    baseUrl: sandbox.console,
    baseApiParams: { headers: { key: sandbox.consoleKey } },
  });
  const { v1: inLedger } = new LedgerApi({ baseUrl: sandbox.ledger });
  const { api: inMapper } = new MapperApi({ baseUrl: sandbox.mapper });
  const { v1: inMobile } = new MobileApi({
    baseUrl: sandbox.mobile,
    baseApiParams: { headers: { authorization: `Bearer ${sandbox.mobileKey}` } },
  });
  const { data: created } = await inConsole.labelsCreate(label);
  const id: string = created.id;
  const { cursor } = (await inLedger.blocksList()).data;
  await inMapper.mapperIngest(uplink, { format: "text" });
  return {
    created: { ...created, id },
    labels: (await inConsole.labelsList()).data,
    blocks: (await inLedger.blocksList({ cursor })).data.data,
    account: (await inLedger.accountsGet(sandbox.account)).data.data,
    subscriber: (await inMobile.subscribersCreate(subscriber)).data,
  };
};
