// Fastify 5
import { toFastifyPlugin } from "@fieldmesh/webhook-types/adapters";
import fastify from "fastify";
import { port, receive } from "./receiver.ts";

const app = fastify();
// All other routes keep their parsers.
await app.register(toFastifyPlugin(receive), { prefix: "/hooks" });
await app.listen({ port, host: "127.0.0.1" });
console.log("listening");
