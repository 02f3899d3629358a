import { serveInProcess } from '@parley/mcp/internal/relay'
import type { Server } from '@parley/mcp/server'

import { maxDocumentBytes } from './document-size.ts'
import type { OpenApiEntry } from './openapi-entry.ts'

const fetchMs = 30_000

/** Opens a connection to a server made of the document; one at an address is fetched when it is first needed. */
export function openApiOpener(
  entry: OpenApiEntry,
  timeoutMs: number | undefined,
): () => ReturnType<typeof serveInProcess> {
  let made: Promise<Server> | undefined

  async function make(): Promise<Server> {
    const { openapi } = entry
    const text = 'document' in openapi ? openapi.document : await fetchDocument(openapi.url, entry)
    const { toolsOf } = await import('./openapi-tools.ts')
    return toolsOf(entry, text, timeoutMs).server()
  }

  return async () => {
    made ??= make()
    made.catch(() => (made = undefined)) // it is tried again
    return serveInProcess(await made)
  }
}

async function fetchDocument(url: string, { allowPrivate }: OpenApiEntry): Promise<string> {
  const { createApiFetch, namedOrigins } = await import('./guarded-api-fetch.ts')
  const fetchFrom = createApiFetch(namedOrigins({ openapi: { url } }), allowPrivate)
  const response = await fetchFrom(url, {
    headers: { accept: 'application/json, application/yaml, text/yaml, */*;q=0.1' },
    redirect: 'manual',
    signal: AbortSignal.timeout(fetchMs),
  })
  if (!response.ok) {
    await response.body?.cancel()
    const { status, headers } = response
    const location = status < 400 ? headers.get('location') : null
    const where = location === null ? '' : `, a redirect: write the address ${location} instead`
    throw new Error(`the document at ${url} cannot be had: it answered ${status}${where}`)
  }
  return readText(response, url)
}

async function readText(response: Response, url: string): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxDocumentBytes) {
      throw new Error(`the document at ${url} is larger than ${maxDocumentBytes} bytes`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
