/** Returns the page of a sample, which has one bundle: `paging` for `paging-2`. */
export function pageOf(sample: string): string {
  return sample.replace(/-\d+$/, "");
}
