import { rows } from "../services.ts";
import { testExamples } from "./examples.ts";
import { testPublished } from "./published-fields.ts";
import { testRequests } from "./requests.ts";
import { testResponses } from "./responses.ts";
import { testSamples } from "./samples.ts";

/** Tests all rows of one table of a client, with the sandbox and with servers that respond otherwise. */
export function testRows(client: string, table: string): void {
  const own = rows.filter(
    ({ service, resource }) => service.package === client && resource === table,
  );
  testRequests(own);
  testResponses(own);
  testSamples(own);
  testPublished(own);
  testExamples(own);
}
