/** What a search can be narrowed down by, in the order it is shown. */
export const facetNames = [
  'remote',
  'registryType',
  'secrets',
  'runtime',
  'transport',
  'publisher',
] as const

/** A facet, as the API calls it. */
export type FacetName = (typeof facetNames)[number]

/** What people call them. */
export const facetLabels: Readonly<Record<FacetName, string>> = {
  registryType: 'Package',
  transport: 'Transport',
  runtime: 'Started by',
  remote: 'Runs',
  secrets: 'Secrets',
  publisher: 'Publisher',
}

/** What people call values that the API writes for programs. */
const valueLabels: { readonly [facet in FacetName]?: { readonly [value: string]: string } } = {
  remote: { yes: 'Remote', no: 'On your computer only' },
  secrets: { yes: 'Asks for a secret', no: 'Needs none' },
}

/** A value of a facet, for people. */
export function facetValue(name: FacetName, value: string): string {
  return valueLabels[name]?.[value] ?? value
}
