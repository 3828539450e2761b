export function Endpoints(_props: Record<string, unknown>) {
  return <p class="note">…</p>;
}
