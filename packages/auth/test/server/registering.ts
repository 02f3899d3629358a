import type { Harness } from './harness.ts'

/** A program on somebody's machine. */
export const local = {
  client_name: 'CLI',
  redirect_uris: ['http://127.0.0.1:5000/callback'],
  token_endpoint_auth_method: 'none',
}

/** Registers a client, as a program at `address`. */
export async function register(
  { server, issuer: base }: Harness,
  metadata: unknown,
  address?: string,
) {
  const response = await server.fetch(
    new Request(`${base}/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof metadata === 'string' ? metadata : JSON.stringify(metadata),
    }),
    { address },
  )
  const body = (await response.json()) as Record<string, unknown> // always an object
  return { status: response.status, body, headers: response.headers }
}
