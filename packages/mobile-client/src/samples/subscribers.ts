import type { Samples } from "@fieldmesh/http/internal";
import type { subscribers as rows } from "../subscribers.ts";

const ada = {
  id: "sub_01JD3Y7Q4W8TQ2",
  email: "ada@example.com",
  name: "Ada Example",
  phone: null,
};

/** The examples of the endpoints of subscribers, in wire format. */
export const subscribers: Samples<typeof rows> = {
  create: { input: { email: ada.email, name: ada.name }, output: ada },
  get: { input: { id: ada.id }, output: ada },
  delete: { input: { id: ada.id }, output: { id: ada.id } },
};
