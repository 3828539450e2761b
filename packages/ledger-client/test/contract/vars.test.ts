import { testRows } from "../../../../tools/testing/contract/test-rows.ts";

testRows("ledger-client", "vars");
