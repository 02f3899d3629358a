/** What this page shows, as its address says it: a link shows the same to everybody. */

import { create } from 'zustand'

import { facetNames, type FacetName } from './facets.ts'

/** The orders of results, as the API calls them. */
export const sorts = ['best', 'newest', 'name'] as const

/** An order of results. */
export type Sort = (typeof sorts)[number]

/** A search, or one server. */
export interface Address {
  /** What is searched for. */
  readonly text: string
  readonly facets: { readonly [facet in FacetName]?: string | undefined }
  /** Without it the best first; without words the newest. */
  readonly sort?: Sort | undefined
  /** Another view than the search. */
  readonly view?: 'moderation' | undefined
  /** The server that is open. */
  readonly server?: string | undefined
  /** Which of its versions; the latest without it. */
  readonly version?: string | undefined
  /** The version it is compared with. */
  readonly compare?: string | undefined
  /** The product whose configuration is shown. */
  readonly client?: string | undefined
}

/** Of `location.search`. What it does not know is left out. */
export function readAddress(search: string): Address {
  const query = new URLSearchParams(search)
  const get = (name: string) => query.get(name) || undefined
  return {
    text: query.get('q') ?? '',
    facets: Object.fromEntries(facetNames.map((name) => [name, get(name)])),
    sort: sorts.find((one) => one === query.get('sort')),
    view: query.get('view') === 'moderation' ? 'moderation' : undefined,
    server: get('server'),
    version: get('version'),
    compare: get('compare'),
    client: get('client'),
  }
}

/** As it stands in a link. */
export function linkTo(address: Address): string {
  const { text, facets, sort, view, server, version, compare, client } = address
  const pairs = {
    q: text,
    ...facets,
    sort,
    view,
    server,
    ...(server && { version, compare }),
    client,
  }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(pairs)) {
    if (value !== undefined && value !== '') query.set(name, value)
  }
  const written = query.toString()
  return written === '' ? './' : `./?${written}`
}

/** What is shown now. */
export const useAddress = create<Address>(() => readAddress(location.search))

/** Shows something else; `replace` where the way back should not stop here. */
export function go(change: Partial<Address>, how: 'push' | 'replace' = 'push'): void {
  const next = { ...useAddress.getState(), ...change }
  const link = linkTo(next)
  if (how === 'push') history.pushState(null, '', link)
  else history.replaceState(null, '', link)
  useAddress.setState(next, true)
}

/** Follows the way back and forward. Called once, by the page's start. */
export function followAddress(): void {
  addEventListener('popstate', () => useAddress.setState(readAddress(location.search), true))
}
