import { testRows } from "../../../../tools/testing/contract/test-rows.ts";

testRows("mobile-client", "balanceCredits");
