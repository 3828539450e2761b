export function MapView(_props: Record<string, unknown>) {
  return <p class="note">…</p>;
}
