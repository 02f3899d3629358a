import { ask, createBrowser, issuer, type Harness } from './harness.ts'

export const clientId = 'https://desk.example.org/client.json'
export const good = {
  client_id: clientId,
  client_name: 'Desk',
  redirect_uris: ['https://desk.example.org/callback', 'http://localhost:3000/callback'],
}

/** A site that answers every request with one document. */
export function serveDocument(document: unknown, init: ResponseInit = {}) {
  const asked: string[] = []
  const fetchDocument: typeof fetch = async (input, options) => {
    const { href } = new URL(input instanceof Request ? input.url : input)
    asked.push(`${href} ${options?.redirect ?? ''}`)
    const body = typeof document === 'string' ? document : JSON.stringify(document)
    return new Response(body, { headers: { 'content-type': 'application/json' }, ...init })
  }
  return { asked, fetch: fetchDocument }
}

/** As far as the first page that a request of the client leads to. */
export async function begin(harness: Harness, parameters: Record<string, string> = {}) {
  const browser = createBrowser(harness)
  const url = ask(issuer, {
    client_id: clientId,
    redirect_uri: 'https://desk.example.org/callback',
    ...parameters,
  }).url
  const { response } = await browser.follow(await browser.get(url))
  return { status: response.status, page: await response.text() }
}
