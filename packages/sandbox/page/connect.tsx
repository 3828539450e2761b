import {
  firstCurl,
  linesOf,
  type ServiceAddress,
  variablesOf,
} from "../src/engine/controls/environment.ts";
import type { KeysView } from "../src/engine/controls/wire.ts";
import { call, token } from "./api.ts";
import { Hidden } from "./json-view.tsx";
import { Copy, Facts, Section } from "./parts.tsx";
import { useStore } from "./store.ts";

const DOTS = "••••••";

/** How to call the services: addresses, keys, and what to copy. */
export function Connect() {
  const { settings } = useStore();
  if (settings === undefined) return null;
  const { keyed } = settings;
  const services = Object.keys(settings.calls);
  return (
    <div class="connect">
      <Section
        title="Base URLs and keys"
        aside={<Copy text={() => environmentOf(services)}>Copy as .env</Copy>}
      >
        <Facts
          facts={services.map((service) => [
            titleOf(service),
            <>
              <code>{baseUrl(service)}</code>
              {keyed.includes(service) && (
                <div>
                  <span class="muted">key</span>{" "}
                  <Hidden
                    name={`the key of ${service}`}
                    reveal={async () => (await readKeys())[service]}
                  />
                </div>
              )}
            </>,
          ])}
        />
      </Section>
      <Section title="A first call" aside={<Copy text={copyFirstCurl}>Copy with the key</Copy>}>
        <pre class="json" tabIndex={0}>
          {firstCurl(baseUrl("console"), DOTS)}
        </pre>
      </Section>
    </div>
  );
}

function titleOf(service: string): string {
  return service.charAt(0).toUpperCase() + service.slice(1);
}

function baseUrl(service: string): string {
  return `${location.origin}/${service}`;
}

function readKeys(): Promise<KeysView> {
  return call("POST /sandbox/keys");
}

async function environmentOf(services: readonly string[]): Promise<string> {
  const keys = await readKeys();
  const addresses = services.map((service): ServiceAddress => ({
    service,
    baseUrl: baseUrl(service),
    key: keys[service],
  }));
  return `${linesOf(variablesOf(addresses, `${location.origin}/#token=${token()}`)).join("\n")}\n`;
}

async function copyFirstCurl(): Promise<string> {
  return firstCurl(baseUrl("console"), (await readKeys())["console"] ?? "");
}
