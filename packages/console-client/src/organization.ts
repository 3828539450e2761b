import * as z from "@fieldmesh/core/internal/zod";
import { count, oneOrMany, record, type SchemaOf } from "@fieldmesh/core/internal/schema";
import { endpoint, type Methods } from "@fieldmesh/http/internal";

import { id } from "./fields.ts";

const organizationFields = record({
  /** The data credit balance. */
  dc_balance: count(),
  /** The id of the organization: a UUID. */
  id,
  /** The name of the organization. */
  name: z.string(),
});

/** The organization that an API key belongs to. */
export interface Organization extends z.output<typeof organizationFields> {}
export const Organization: SchemaOf<Organization, typeof organizationFields> = organizationFields;

/** The endpoints of the organization, one row for each. The client makes the methods of `client.organization` from them. */
export const organization = {
  /**
   * List the organizations of the API key, with their data credit balance. One key belongs to one organization.
   *
   * Some deployments return a single record (observed). The client always returns an array.
   *
   * @throws A {@link CallError} if the call fails
   * @example
   * ```ts
   * const [organization] = await client.organization.list();
   * ```
   */
  list: endpoint("GET /api/v1/organization", {
    result: oneOrMany(Organization),
  }),
};

/** The organization that the API key belongs to. */
export interface OrganizationResource extends Methods<typeof organization> {}
