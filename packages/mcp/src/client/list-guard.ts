import { McpError } from '../rpc/errors/mcp-error.ts'
import type { ResolvedLimits } from '../rpc/limits.ts'
import type { ListPage } from './list.ts'

/** What a whole list may be, whatever its pages. */
export type ListLimits = Pick<ResolvedLimits, 'listPages' | 'listItems' | 'listBytes'>

/** Looks at every page of a list that has several, and throws where a server would never stop giving them. */
export function createListGuard(limits: ListLimits): (page: ListPage<unknown>) => void {
  const seen = { listPages: 0, listItems: 0, listBytes: 0 }
  const cursors = new Set<string>()

  return ({ items, nextCursor }) => {
    seen.listPages += 1
    seen.listItems += items.length
    // The first is bounded as any message is; to measure it would cost every list of two pages.
    if (seen.listPages > 1) seen.listBytes += JSON.stringify(items).length
    for (const limit of ['listPages', 'listItems', 'listBytes'] as const) {
      if (seen[limit] > limits[limit]) throw tooLong(limit, limits[limit])
    }
    if (nextCursor === undefined) return
    if (cursors.has(nextCursor)) throw repeated(nextCursor)
    cursors.add(nextCursor)
  }
}

function tooLong(limit: keyof ListLimits, allowed: number): McpError {
  const what = { listPages: 'pages', listItems: 'items', listBytes: 'bytes' }[limit]
  return new McpError('limit_exceeded', `a list has more than ${allowed} ${what}`, {
    details: { limit, allowed },
    hint: `Raise limits.${limit} if such lists are expected, or read single pages with page().`,
  })
}

/** The same cursor again would be the same pages for ever. */
function repeated(cursor: string): McpError {
  const excerpt = `the server gave the cursor ${JSON.stringify(cursor.slice(0, 80))} twice`
  return new McpError('invalid_message', `a list does not end: ${excerpt}`, {
    details: { excerpt },
  })
}
