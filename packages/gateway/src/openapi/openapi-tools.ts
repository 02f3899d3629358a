import { fromOpenApi, OpenApiError, type OpenApiTools } from '@parley/tools/openapi'

import { createApiFetch, namedOrigins } from './guarded-api-fetch.ts'
import type { OpenApiEntry } from './openapi-entry.ts'

/**
 * Makes tools of a document. Throws `OpenApiError` for a document, or rules, that cannot be used, and for a document that
 * would send the entry's secrets to an origin that only the document names.
 */
export function toolsOf(
  entry: OpenApiEntry,
  document: string,
  timeoutMs: number | undefined,
): OpenApiTools {
  const { baseUrl, hosts, operations = {}, credentials, headers, answerBytes, pages } = entry
  const named = namedOrigins(entry)
  const made = fromOpenApi(document, {
    ...operations,
    baseUrl,
    hosts,
    credentials,
    headers,
    timeoutMs,
    maxBytes: answerBytes,
    maxPages: pages,
    fetch: createApiFetch(named, entry.allowPrivate),
  })
  const isSecret = Object.keys({ ...credentials, ...headers }).length > 0
  const foreign = isSecret ? made.tools.find(({ server }) => !named.has(server)) : undefined
  if (foreign === undefined) return made
  const { href, origin } = foreign.server
  throw new OpenApiError(
    `credentials and headers would go to ${origin}, which only the document names: if that is right, add baseUrl: "${href}"`,
  )
}
