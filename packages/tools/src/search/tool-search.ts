import type { Client } from '@parley/mcp/client'
import type { Server } from '@parley/mcp/server'

import { searchClient } from './search-client.ts'
import { searchServer } from './search-server.ts'
import type { SearchToolNames } from './search-tools.ts'

/** When a search is offered instead of all tools, and what stays listed. */
export interface OfferOptions {
  /** Offer the search only if there are more tools than this. @defaultValue 0 */
  readonly above?: number | undefined
  /** Tools that stay in the list beside the search; all can be found in any case. @defaultValue none */
  readonly pinned?: readonly string[] | undefined
  /** Other names for the three tools. */
  readonly names?: SearchToolNames | undefined
  /** For how long the list of a client's server is not fetched again. A server knows its own. @defaultValue 10_000 */
  readonly maxAgeMs?: number | undefined
}

/**
 * Lists `find_tools`, `describe_tool` and `call_tool` instead of all tools. For a server: adds middleware to it and returns
 * it. For a client: returns one whose `listTools` and `callTool` do so; the given client stays as it is.
 */
export function withToolSearch<App, Tools>(
  server: Server<App, Tools>,
  options?: OfferOptions,
): Server<App, Tools>
export function withToolSearch(client: Client, options?: OfferOptions): Client
export function withToolSearch(
  target: Server | Client,
  options: OfferOptions = {},
): Server | Client {
  return 'callTool' in target ? searchClient(target, options) : searchServer(target, options)
}
