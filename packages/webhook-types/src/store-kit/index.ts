export type { ContractTest } from "./contract-test.ts";
export { storeTests } from "./store-tests.ts";
export { inboxTests, type TestableInbox } from "./inbox-tests.ts";
export { inboxOrderTests, type TestableInboxOrder } from "./inbox-order-tests.ts";
export { orderTests } from "./order-tests.ts";
export { poisonTests } from "./poison-tests.ts";
