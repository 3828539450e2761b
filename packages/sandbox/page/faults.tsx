export function Faults(_props: Record<string, unknown>) {
  return <p class="note">…</p>;
}
