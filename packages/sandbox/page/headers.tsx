import { isHidden } from "./json.ts";
import { Hidden } from "./json-view.tsx";
import { Facts } from "./parts.tsx";

/** Headers behind a summary, or in the open below a title. */
export function Headers({
  headers,
  title,
  reveal,
}: {
  headers: Readonly<Record<string, string>>;
  title?: string;
  reveal?: (name: string) => Promise<unknown>;
}) {
  const entries = Object.entries(headers);
  if (entries.length === 0) return <p class="note">No headers.</p>;
  const facts = (
    <Facts
      facts={entries.map(([name, value]) => [
        name,
        isHidden(value) && reveal !== undefined ? (
          <Hidden name={name} reveal={() => reveal(name)} />
        ) : (
          <code>{value}</code>
        ),
      ])}
    />
  );
  if (title !== undefined)
    return (
      <>
        <h4>{title}</h4>
        {facts}
      </>
    );
  return (
    <details class="headers">
      <summary>
        {entries.length} {entries.length === 1 ? "header" : "headers"}
      </summary>
      {facts}
    </details>
  );
}
