export function Composer(_props: Record<string, unknown>) {
  return <p class="note">…</p>;
}
