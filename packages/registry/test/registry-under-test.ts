import { generateKeyPairSync, sign } from 'node:crypto'

import { createRegistry, type Registry, type RegistryOptions } from '@parley/registry'
import { schemaUrl, type ServerDocument, type ServerResponse } from '@parley/registry/client'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')

/** A key that may do everything, for `auth.keys`. */
export const adminKeys = {
  admin: {
    algorithm: 'ed25519',
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64'),
    publish: ['*'],
    edit: ['*'],
  },
} as const

/** A registry with a caller that may do everything. */
export interface TestRegistry extends AsyncDisposable {
  readonly registry: Registry
  /** By path below `/v0.1/`; a body is sent as JSON, with the token. */
  ask(path: string, init?: AskInit): Promise<Answer>
  publish(document: object): Promise<Answer>
  /** Of the caller that may do everything. */
  token(): Promise<string>
}

export interface AskInit {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string }
  /** False: without the token. */
  readonly token?: string | false
  readonly prefix?: string
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

export async function openRegistry(options: RegistryOptions): Promise<TestRegistry> {
  const registry = await createRegistry({
    ...options,
    auth: { keys: adminKeys, ...options.auth },
  })
  const now = options.now ?? Date.now
  let token: Promise<string> | undefined

  async function ask(path: string, init: AskInit = {}): Promise<Answer> {
    const { prefix = '/v0.1/', body, method = body === undefined ? 'GET' : 'POST' } = init
    const bearer = init.token ?? (method === 'GET' ? false : await getToken())
    const response = await registry.fetch(
      new Request(`http://registry.test${prefix}${path}`, {
        method,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(bearer !== false && { authorization: `Bearer ${bearer}` }),
          ...init.headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    )
    const text = await response.text()
    const isJson = (response.headers.get('content-type') ?? '').includes('json')
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : text,
    }
  }

  const getToken = () => (token ??= signIn())

  async function signIn(): Promise<string> {
    const timestamp = new Date(now()).toISOString()
    const signature = sign(null, Buffer.from(timestamp), privateKey).toString('hex')
    const body = { key: 'admin', timestamp, signed_timestamp: signature }
    const answer = await ask('auth/key', { body, token: false })
    return (answer.body as { registry_token: string }).registry_token // the test fails below if there is none
  }

  return {
    registry,
    ask,
    token: getToken,
    publish: (document) => ask('publish', { body: document }),
    [Symbol.asyncDispose]: () => registry.close(),
  }
}

/** A document that may be published. */
export function documentOf(name: string, version: string, more: object = {}): ServerDocument {
  return { $schema: schemaUrl, name, description: `About ${name}`, version, ...more }
}

/** Versions of an answer with a list, with a star at the latest. */
export function versionsIn(answer: Answer): readonly string[] {
  const { servers } = answer.body as { readonly servers: readonly ServerResponse[] } // the tests expect a list
  return servers.map(
    ({ server, _meta: meta }) =>
      `${server.name}@${server.version}${meta['io.modelcontextprotocol.registry/official']?.isLatest ? '*' : ''}`,
  )
}

/** The detail of a problem document. */
export function detailOf(answer: Answer): string {
  return (answer.body as { readonly detail: string }).detail // a problem document has one
}
