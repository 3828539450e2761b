import { defineConfig } from "@kubb/core";
import { pluginClient } from "@kubb/plugin-client";
import { pluginOas } from "@kubb/plugin-oas";
import { pluginTs } from "@kubb/plugin-ts";

const { DOCUMENT, NAME } = process.env;

export default defineConfig({
  root: ".",
  input: { path: DOCUMENT },
  output: { path: `kubb/${NAME}`, extension: { ".ts": "" } },
  plugins: [pluginOas(), pluginTs(), pluginClient({ client: "fetch", bundle: true })],
});
