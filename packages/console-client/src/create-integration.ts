import { InputError, type CallOptions } from "@fieldmesh/http";
import type { Integration, NewIntegration } from "./integration.ts";
import type { Integrations } from "./integrations.ts";

/** The methods that create an integration, each of its own types. */
type Creators = Pick<
  Integrations,
  "createHttp" | "createMqtt" | "createCloudA" | "createCloudB" | "createPrebuilt"
>;

/** Creates an integration of any type, by the endpoint of that type. */
export function createIntegration(
  methods: Creators,
  input: NewIntegration,
  options?: CallOptions,
): Promise<Integration> {
  switch (input.type) {
    case "http":
      return methods.createHttp(input, options);
    case "mqtt":
      return methods.createMqtt(input, options);
    case "cloudA":
      return methods.createCloudA(input, options);
    case "cloudB":
      return methods.createCloudB(input, options);
    case "partner1":
    case "partner2":
    case "partner3":
    case "partner4":
      return methods.createPrebuilt(input, options);
    default:
      return Promise.reject(unknownType());
  }
}

/** Only from JavaScript: the type of the input has no such member. */
function unknownType(): InputError {
  return new InputError({ call: "integrations.create", route: "POST /api/v1/integrations" }, [
    {
      path: "type",
      message: "must be http, mqtt, cloudA, cloudB, partner1, partner2, partner3 or partner4",
    },
  ]);
}
