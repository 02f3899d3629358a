/** Saved requests, what their answers must be, and how they went. */
export function CollectionsPanel() {
  return <section aria-label="Collections" />
}
