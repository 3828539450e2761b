import { testRows } from "../../../../tools/testing/contract/test-rows.ts";

testRows("mapper-client", "mapper");
