import { fromOpenApi, type OpenApiTools } from '@parley/tools/openapi'

import { createApiFetch } from './guarded-api-fetch.ts'
import type { OpenApiEntry } from './openapi-entry.ts'

/** Throws `OpenApiError` for a document, or rules, that cannot be used. */
export function toolsOf(
  entry: OpenApiEntry,
  document: string,
  timeoutMs: number | undefined,
): OpenApiTools {
  const { baseUrl, hosts, operations = {}, credentials, headers, answerBytes, pages } = entry
  const { openapi } = entry
  const home = baseUrl ?? ('url' in openapi ? openapi.url : undefined)
  return fromOpenApi(document, {
    ...operations,
    baseUrl,
    hosts,
    credentials,
    headers,
    timeoutMs,
    maxBytes: answerBytes,
    maxPages: pages,
    fetch: createApiFetch(home),
  })
}
