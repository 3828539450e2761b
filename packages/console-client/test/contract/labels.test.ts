import { testRows } from "../../../../tools/testing/contract/test-rows.ts";

testRows("console-client", "labels");
