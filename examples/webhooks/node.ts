// node:http
import { createServer } from "node:http";
import { toNodeHandler } from "@fieldmesh/webhook-types/adapters";
import { port, receive } from "./receiver.ts";

const handle = toNodeHandler(receive);
const server = createServer((req, res) => void handle(req, res));
server.listen(port, "127.0.0.1", () => console.log("listening"));
