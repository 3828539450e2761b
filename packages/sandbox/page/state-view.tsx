export function StateView(_props: Record<string, unknown>) {
  return <p class="note">…</p>;
}
