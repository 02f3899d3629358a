import type { ClientAuth } from '../../client/client-auth.ts'
import type { Transport } from '../../rpc/transport.ts'
import { unauthorized, type HandshakeResponse } from './handshake-error.ts'

/** How a socket is opened with headers; `onRefused` hears of an answer that is none. */
export type OpenSocket = (
  headers: { readonly [name: string]: string },
  onRefused: (response: HandshakeResponse) => void,
) => Promise<Transport>

/** The most the handshake is repeated with other credentials, as over HTTP. */
const maxChallenges = 6

/** Opens a socket with credentials, and again with better ones when they are refused. */
export async function authorizeSocket(
  address: URL,
  { auth, peer, signal }: { auth: ClientAuth; peer: string; signal: AbortSignal | undefined },
  open: OpenSocket,
): Promise<Transport> {
  const url = new URL(address)
  url.protocol = address.protocol === 'wss:' ? 'https:' : 'http:' // the handshake is an HTTP request
  const attempts = { 401: 0, 403: 0 }

  for (;;) {
    const given = await auth.authorize({ method: 'GET', url, server: url }).catch(fail)
    let refusal: HandshakeResponse | undefined
    try {
      return await open(given, (response) => (refusal = response))
    } catch (error) {
      const { statusCode: status, headers = {} } = refusal ?? {}
      if (status !== 401 && status !== 403) throw error
      const attempt = (attempts[status] += 1)
      if (attempts[401] + attempts[403] > maxChallenges) throw error
      const isSolved = await auth
        .challenged({
          status,
          url,
          server: url,
          wwwAuthenticate: textOf(headers['www-authenticate']),
          dpopNonce: textOf(headers['dpop-nonce']),
          given,
          attempt,
          signal: signal ?? new AbortController().signal,
        })
        .catch(fail)
      if (!isSolved) throw error
    }
  }

  function fail(cause: unknown): never {
    throw unauthorized(peer, { details: {}, cause })
  }
}

function textOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.join(', ')
}
