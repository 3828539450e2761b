import { InputError, type CallOptions } from "@fieldmesh/http";
import type { Integration, NewIntegration } from "./integration.ts";

/** The method that creates an integration of any type. */
export interface IntegrationCreation {
  /**
   * Create an integration of any type. `type` determines its fields and the endpoint.
   *
   * @throws An {@link ApiError} with 422: The integration was not accepted (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * await client.integrations.create({ type: "http", name: "Data lake", endpoint: "https://lake.example.com", method: "post" });
   * ```
   */
  create(input: NewIntegration, options?: CallOptions): Promise<Integration>;
}

type Create<Type> = (
  input: Extract<NewIntegration, { readonly type: Type }>,
  options?: CallOptions,
) => Promise<Integration>;

/** The methods that create an integration, each for its own types. */
interface Creators {
  readonly createHttp: Create<"http">;
  readonly createMqtt: Create<"mqtt">;
  readonly createCloudA: Create<"cloudA">;
  readonly createCloudB: Create<"cloudB">;
  readonly createPrebuilt: Create<`partner${1 | 2 | 3 | 4}`>;
}

/** Creates an integration of any type through the endpoint of that type. */
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

/** Only JavaScript code can cause this: the type of the input excludes it. */
function unknownType(): InputError {
  return new InputError({ call: "integrations.create", route: "POST /api/v1/integrations" }, [
    {
      path: "type",
      message: "must be http, mqtt, cloudA, cloudB, partner1, partner2, partner3 or partner4",
    },
  ]);
}
