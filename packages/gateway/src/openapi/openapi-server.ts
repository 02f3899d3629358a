import { serveInProcess } from '@parley/mcp/proxy'
import type { Server } from '@parley/mcp/server'
import { fromOpenApi, type OpenApiTools } from '@parley/tools/openapi'

import { createApiFetch } from './guarded-api-fetch.ts'
import type { OpenApiEntry } from './openapi-entry.ts'

/** The longest document that is read. */
export const mostDocumentBytes = 32 * 1024 * 1024
const fetchMs = 30_000

/** Opens a connection to a server made of the document; one at an address is fetched when it is first needed. */
export function openApiOpener(
  entry: OpenApiEntry,
  timeoutMs: number | undefined,
): () => ReturnType<typeof serveInProcess> {
  let made: Promise<Server> | undefined

  async function make(): Promise<Server> {
    const { openapi } = entry
    const text = 'document' in openapi ? openapi.document : await fetchDocument(openapi.url)
    return toolsOf(entry, text, timeoutMs).server()
  }

  return async () => {
    made ??= make()
    made.catch(() => (made = undefined)) // it is tried again
    return serveInProcess(await made)
  }
}

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

async function fetchDocument(url: string): Promise<string> {
  const response = await createApiFetch(url)(url, {
    headers: { accept: 'application/json, application/yaml, text/yaml, */*;q=0.1' },
    redirect: 'manual',
    signal: AbortSignal.timeout(fetchMs),
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`the document at ${url} cannot be had: it answered ${response.status}`)
  }
  return readText(response, url)
}

async function readText(response: Response, url: string): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > mostDocumentBytes) {
      throw new Error(`the document at ${url} is larger than ${mostDocumentBytes} bytes`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
