// Express 5
import { toExpressHandler } from "@fieldmesh/webhook-types/adapters";
import express from "express";
import { port, receive } from "./receiver.ts";

const app = express();
// Above express.json(), which would eat the raw body.
app.post("/hooks", toExpressHandler(receive));
app.use(express.json());
app.listen(port, "127.0.0.1", () => console.log("listening"));
