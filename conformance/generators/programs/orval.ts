import { labelsCreate, labelsList } from "../orval/console";
import { accountsGet, blocksList } from "../orval/ledger";
import { mapperIngest } from "../orval/mapper";
import { subscribersCreate } from "../orval/mobile";
import { addresses } from "./addresses";
import { label, type Run, subscriber, uplink } from "./program";

export const run: Run = async (sandbox) => {
  Object.assign(addresses, sandbox);
  const inConsole = { headers: { key: sandbox.consoleKey } };
  const inMobile = { headers: { authorization: `Bearer ${sandbox.mobileKey}` } };
  const created = await labelsCreate(label, inConsole);
  if (created.status !== 201) throw new Error(`The console responded with ${created.status}.`);
  const id: string = created.data.id;
  const first = await blocksList();
  if (first.status !== 200) throw new Error(`The ledger responded with ${first.status}.`);
  const blocks = await blocksList({ cursor: first.data.cursor });
  const account = await accountsGet(sandbox.account);
  if (blocks.status !== 200 || account.status !== 200) throw new Error("The ledger failed.");
  await mapperIngest(uplink);
  return {
    created: { ...created.data, id },
    labels: (await labelsList(undefined, inConsole)).data,
    blocks: blocks.data.data,
    account: account.data.data,
    subscriber: (await subscribersCreate(subscriber, inMobile)).data,
  };
};
