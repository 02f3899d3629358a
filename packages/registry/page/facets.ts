/** What a search can be narrowed down by, in the order it is shown. */
export const facetNames = [
  'registryType',
  'transport',
  'runtime',
  'remote',
  'secrets',
  'publisher',
] as const

/** A facet, as the API calls it. */
export type FacetName = (typeof facetNames)[number]

/** What people call them. */
export const facetLabels: Readonly<Record<FacetName, string>> = {
  registryType: 'Package',
  transport: 'Transport',
  runtime: 'Started by',
  remote: 'Has a remote',
  secrets: 'Asks for secrets',
  publisher: 'Publisher',
}
