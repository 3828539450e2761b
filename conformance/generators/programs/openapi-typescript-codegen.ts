import { LabelsService, OpenAPI as inConsole } from "../openapi-typescript-codegen/console";
import {
  AccountsService,
  BlocksService,
  OpenAPI as inLedger,
} from "../openapi-typescript-codegen/ledger";
import { MapperService, OpenAPI as inMapper } from "../openapi-typescript-codegen/mapper";
import { OpenAPI as inMobile, SubscribersService } from "../openapi-typescript-codegen/mobile";
import { label, type Run, subscriber, uplink } from "./program";

export const run: Run = async (sandbox) => {
  inConsole.BASE = sandbox.console;
  inConsole.HEADERS = { key: sandbox.consoleKey };
  inLedger.BASE = sandbox.ledger;
  inMapper.BASE = sandbox.mapper;
  inMobile.BASE = sandbox.mobile;
  inMobile.TOKEN = sandbox.mobileKey;
  const created = await LabelsService.labelsCreate(label);
  const id: string = created.id;
  const { cursor } = await BlocksService.blocksList();
  await MapperService.mapperIngest(uplink);
  return {
    created: { ...created, id },
    labels: await LabelsService.labelsList(),
    blocks: (await BlocksService.blocksList(cursor)).data,
    account: (await AccountsService.accountsGet(sandbox.account)).data,
    subscriber: await SubscribersService.subscribersCreate(subscriber),
  };
};
