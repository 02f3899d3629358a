import { listOf, recordOf, textOf } from '@parley/page/json'

import type { FacetName } from '../facets.ts'
import { readEntries, type Entry } from '../read-entry.ts'

/** How many results have a value. */
export type FacetCounts = {
  readonly [facet in FacetName]?: readonly { readonly value: string; readonly count: number }[]
}

/** A page of results. */
export interface Results {
  readonly entries: readonly Entry[]
  readonly total: number
  /** Whether there are more than were ranked. */
  readonly hasMore: boolean
  readonly facets: FacetCounts
}

/** From the answer of `x/search`. */
export function readResults(value: unknown): Results {
  const { metadata, facets } = recordOf(value)
  const { total, hasMore } = recordOf(metadata)
  const entries = readEntries(value)
  return {
    entries,
    total: typeof total === 'number' ? total : entries.length,
    hasMore: hasMore === true,
    facets: Object.fromEntries(
      Object.entries(recordOf(facets)).map(([name, values]) => [name, readCounts(values)]),
    ),
  }
}

function readCounts(
  values: unknown,
): readonly { readonly value: string; readonly count: number }[] {
  return listOf(values).flatMap((item) => {
    const { value, count } = recordOf(item)
    const text = textOf(value)
    return text === undefined || typeof count !== 'number' ? [] : [{ value: text, count }]
  })
}
