import { parseJsonObject } from '@parley/mcp/json'

import { parseUrl } from '../../shared/url-rules.ts'
import type { Settings } from '../settings.ts'
import { readClientMetadata } from './client-metadata.ts'

const maxBytes = 5 * 1024

/** Whether a client id is the URL of a document about the client, written the one way it can be. */
export function isDocumentUrl(clientId: string): boolean {
  const url = parseUrl(clientId)
  if (url === undefined || url.protocol !== 'https:' || url.href !== clientId) return false
  return url.pathname !== '/' && url.hash === '' && url.username === '' && url.password === ''
}

/**
 * Fetches a client's document, checks it, and answers with what of it we go by. A document must be found at its own
 * address: no redirects, status 200, JSON, at most 5 kB, naming that very address as `client_id`.
 */
export async function fetchClientDocument(
  clientId: string,
  { fetchSmall, appSchemes }: Pick<Settings, 'fetchSmall' | 'appSchemes'>,
): Promise<Response> {
  const response = await fetchSmall(clientId, {
    headers: { accept: 'application/json' },
    redirect: 'manual',
  })
  if (response.status !== 200) return rejected(`status ${response.status}`)
  const type = response.headers.get('content-type') ?? ''
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) return rejected(`not JSON but ${type}`)
  const text = await response.text()
  if (Buffer.byteLength(text) > maxBytes) return rejected('longer than 5 kB')
  const document = parseJsonObject(text)
  if (document?.['client_id'] !== clientId) return rejected('it names another client_id')
  if (typeof document['client_name'] !== 'string') return rejected('client_name is missing')
  const read = readClientMetadata(
    { token_endpoint_auth_method: 'none', ...document },
    { appSchemes },
  )
  if (read.kind === 'faulty') return rejected(read.why)
  if (/secret/.test(String(read.metadata['token_endpoint_auth_method']))) {
    return rejected('a public document cannot use a client secret')
  }
  const headers = new Headers({ 'content-type': 'application/json' })
  for (const name of ['cache-control', 'expires']) {
    const value = response.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  return new Response(JSON.stringify({ ...read.metadata, client_id: clientId }), { headers })
}

function rejected(why: string): Response {
  // Any other status than 200 is a refusal to the provider; the text says why, for its log.
  return new Response(why, { status: 422 })
}
