import { readBounded } from '@parley/mcp/internal'
import { errorMessage } from '@parley/mcp/json'

import {
  officialKey,
  type ServerDocument,
  type ServerResponse,
  type ServerStatus,
} from '../document/server-document.ts'
import { fetchRegistry } from '../network/fetch-registry.ts'
import type { ValidationIssue } from '../validation/issue.ts'
import { findVersionProblem } from '../validation/version-rules.ts'

/** A registry, asked over HTTP. Every call rejects with a `RegistryError`. */
export interface RegistryClient {
  /** The base, without a version. */
  readonly url: string
  /** The latest versions that fit, the best first where the registry can tell. */
  readonly search: (text: string, limit?: number) => Promise<readonly ServerResponse[]>
  /** One version; the latest without one. */
  readonly find: (name: string, version?: string) => Promise<ServerResponse>
  /** All versions that the registry lists, page by page. */
  readonly list: () => AsyncGenerator<ServerResponse>
  /** The signed index of the registry, or of an export of one; nothing of it is checked. */
  readonly index: () => Promise<unknown>
  /** What is known of a version beside its document; undefined where the registry does not tell. */
  readonly trust: (
    name: string,
    version: string,
  ) => Promise<{ readonly [field: string]: unknown } | undefined>
  /** Tells which tools a version has. */
  readonly submitSnapshot: (
    snapshot: {
      readonly name: string
      readonly version: string
      readonly tools: readonly object[]
    },
    token: string,
  ) => Promise<{ readonly [field: string]: unknown }>
  /** Gives a server another name. */
  readonly rename: (from: string, to: string, token: string) => Promise<ServerResponse>
  /** Hides, restores, blocks, notes and sets rules, for moderators; see `POST /x/moderation`. */
  readonly moderate: (
    decision: object,
    token: string,
  ) => Promise<{ readonly [field: string]: unknown }>
  /** Rules, notes and flagged entries, for moderators. */
  readonly moderation: (
    name: string | undefined,
    token: string,
  ) => Promise<{ readonly [field: string]: unknown }>
  /** What the registry says of itself. */
  readonly health: () => Promise<{ readonly [field: string]: unknown }>
  /** Checks a document without publishing it. */
  readonly validate: (
    document: unknown,
  ) => Promise<{ readonly valid: boolean; readonly issues: readonly ValidationIssue[] }>
  /** Trades a proof of who one is for a token. */
  readonly signIn: (method: string, proof: object) => Promise<RegistryToken>
  /** Publishes a version. A version cannot be published twice. */
  readonly publish: (document: ServerDocument, token: string) => Promise<ServerResponse>
  /** Of one version, or of all. */
  readonly setStatus: (
    name: string,
    version: string | undefined,
    change: { readonly status: ServerStatus; readonly statusMessage?: string | undefined },
    token: string,
  ) => Promise<readonly ServerResponse[]>
}

/** Lets its holder publish for some minutes. */
export interface RegistryToken {
  /** The token to send as a bearer token. */
  readonly registry_token: string
  /** Seconds since the epoch. */
  readonly expires_at: number
}

/** The registry refused, or cannot be reached. */
export class RegistryError extends Error {
  /** Always `RegistryError`. */
  override readonly name = 'RegistryError'
  /** Undefined if there was no answer. */
  readonly status: number | undefined
  /** What is wrong with the request, one by one. */
  readonly details: readonly string[]

  /** `status` is absent if there was no answer. */
  constructor(
    message: string,
    options: {
      readonly status?: number | undefined
      readonly details?: readonly string[] | undefined
      readonly cause?: unknown
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.status = options.status
    this.details = options.details ?? []
  }
}

/** Where a registry is, and how to ask. */
export interface RegistryClientOptions {
  /** With or without `/v0.1` at its end. */
  readonly url: string
  /** For registries that answer known callers only. */
  readonly token?: string | undefined
  /** @defaultValue the global one */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
  /** For each answer. @defaultValue 30_000 */
  readonly timeoutMs?: number | undefined
}

/** Of one answer. */
const maxBytes = 16 * 1024 * 1024
/** Of a list, which an export has on one page, and of an index. */
const maxListBytes = 256 * 1024 * 1024
const maxPages = 10_000

/** Asks a registry of the API v0.1. */
export function createRegistryClient(options: RegistryClientOptions): RegistryClient {
  const { token, timeoutMs = 30_000, fetch: send } = options
  const url = options.url.replace(/\/+$/, '').replace(/\/v0(?:\.1)?$/, '')

  async function ask(
    path: string,
    init: { method?: string; body?: unknown; token?: string; maxBytes?: number } = {},
  ) {
    const bearer = init.token ?? token
    const request = new Request(`${url}/v0.1/${path}`, {
      method: init.method ?? 'GET',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        accept: 'application/json',
        ...(init.body !== undefined && { 'content-type': 'application/json' }),
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      },
      ...(init.body !== undefined && { body: JSON.stringify(init.body) }),
    })
    const most = init.maxBytes ?? maxBytes
    const tooLong = () => new RegistryError(`the answer is longer than ${most} bytes`)
    const { status, text } = await fetchRegistry(request, send)
      .then(async (response) => ({
        status: response.status,
        text: new TextDecoder().decode(await readBounded(response, most, tooLong)),
      }))
      .catch((cause: unknown) => {
        if (cause instanceof RegistryError) throw cause
        const why = errorMessage(cause)
        throw new RegistryError(`${url} cannot be reached: ${why}`, { cause })
      })
    const value = parse(text)
    if (status >= 200 && status < 300 && value !== undefined) return value
    throw rejection(url, status, value)
  }

  return {
    url,
    async search(text, limit = 20) {
      const query = `q=${encodeURIComponent(text)}&limit=${limit}`
      try {
        return serversIn(await ask(`x/search?${query}`))
      } catch (error) {
        if (!(error instanceof RegistryError) || error.status !== 404) throw error
      }
      // A registry without this extension looks for substrings. Plain files answer with everything, whatever is asked for.
      const path = `servers?search=${encodeURIComponent(text)}&version=latest&limit=${limit}`
      const all = serversIn(await ask(path, { maxBytes: maxListBytes }))
      return all
        .filter((candidate) => isLatest(candidate) && hasWords(candidate, text))
        .slice(0, limit)
    },
    async find(name, version = 'latest') {
      const path = `servers/${encodeURIComponent(name)}/versions/${encodeURIComponent(version)}`
      return requireAsked(requireServer(await ask(path), url), { name, version, url })
    },
    async *list() {
      const seen = new Set<string>()
      let cursor = ''
      for (;;) {
        const more = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
        const value = await ask(`servers?limit=100${more}`, { maxBytes: maxListBytes })
        yield* serversIn(value)
        const { metadata } = value
        const next =
          typeof metadata === 'object' && metadata !== null && 'nextCursor' in metadata
            ? metadata.nextCursor
            : undefined
        if (typeof next !== 'string' || next === '') return
        if (seen.has(next) || seen.size >= maxPages) {
          throw new RegistryError(`${url} repeats its cursor, or has more than ${maxPages} pages`)
        }
        seen.add(next)
        cursor = next
      }
    },
    index: () => ask('x/index', { maxBytes: maxListBytes }),
    trust: (name, version) =>
      ask(`x/trust?name=${encodeURIComponent(name)}&version=${encodeURIComponent(version)}`).catch(
        (error: unknown) => {
          if (error instanceof RegistryError && (error.status === 404 || error.status === 400)) {
            return undefined
          }
          throw error
        },
      ),
    submitSnapshot: (snapshot, bearer) =>
      ask('x/snapshots', { method: 'POST', body: snapshot, token: bearer }),
    async rename(from, to, bearer) {
      const value = await ask('x/rename', { method: 'POST', body: { from, to }, token: bearer })
      return requireServer(value, url)
    },
    moderate: (decision, bearer) =>
      ask('x/moderation', { method: 'POST', body: decision, token: bearer }),
    moderation: (name, bearer) =>
      ask(`x/moderation${name === undefined ? '' : `?name=${encodeURIComponent(name)}`}`, {
        token: bearer,
      }),
    health: () => ask('health'),
    async validate(document) {
      const value = await ask('validate', { method: 'POST', body: document })
      const { valid, issues } = value
      return { valid: valid === true, issues: Array.isArray(issues) ? issues : [] }
    },
    async signIn(method, proof) {
      const value = await ask(`auth/${encodeURIComponent(method)}`, { method: 'POST', body: proof })
      const { registry_token: text, expires_at: expires } = value
      if (typeof text === 'string' && typeof expires === 'number') {
        return { registry_token: text, expires_at: expires }
      }
      throw new RegistryError(`${url} answers with something that is not a token`)
    },
    async publish(document, bearer) {
      const value = await ask('publish', { method: 'POST', body: document, token: bearer })
      return requireServer(value, url)
    },
    async setStatus(name, version, change, bearer) {
      const server = `servers/${encodeURIComponent(name)}`
      const of = version === undefined ? '' : `/versions/${encodeURIComponent(version)}`
      const path = `${server}${of}/status`
      const value = await ask(path, { method: 'PATCH', body: change, token: bearer })
      return version === undefined ? serversIn(value) : [requireServer(value, url)]
    },
  }
}

function parse(text: string): { readonly [field: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** Reads a problem document, or the plain form of the generic API. */
function rejection(
  url: string,
  status: number,
  value: { readonly [field: string]: unknown } = {},
): RegistryError {
  const { detail, error, errors } = value
  const why = [detail, error].find((candidate) => typeof candidate === 'string')
  const details = (Array.isArray(errors) ? errors : []).flatMap((item: unknown) => {
    if (typeof item !== 'object' || item === null || !('message' in item)) return []
    const where = 'location' in item ? `${String(item.location)}: ` : ''
    return [`${where}${String(item.message)}`]
  })
  const message = why === undefined ? `${url} answers with status ${status}` : why
  return new RegistryError(message, { status, details })
}

function serversIn({ servers }: { readonly [field: string]: unknown }): readonly ServerResponse[] {
  return Array.isArray(servers) ? servers.filter(isServer) : []
}

function isLatest({ _meta: meta }: ServerResponse): boolean {
  return meta?.[officialKey]?.isLatest !== false
}

function hasWords({ server }: ServerResponse, text: string): boolean {
  const { name, title, description } = server
  // What another registry left out is no text to find.
  const haystack = [name, title, description].filter(Boolean).join(' ').toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => haystack.includes(word))
}

function requireServer(value: unknown, url: string): ServerResponse {
  if (isServer(value)) return value
  throw new RegistryError(`${url} answers with something that is not a server`)
}

/** A registry may answer with anything: another server, another version, or one that is none. */
function requireAsked(
  found: ServerResponse,
  { name, version, url }: { readonly name: string; readonly version: string; readonly url: string },
): ServerResponse {
  const { server } = found
  const isRequested = server.name === name && (version === 'latest' || server.version === version)
  if (!isRequested) {
    const seen = JSON.stringify(`${server.name} ${server.version}`.slice(0, 300))
    throw new RegistryError(
      `${url} was asked for ${name} ${version} and answers with ${seen}: do not use it`,
    )
  }
  const problem = server.version === '' ? 'it is empty' : findVersionProblem(server.version)
  if (problem === undefined) return found
  const seen = JSON.stringify(server.version.slice(0, 100))
  throw new RegistryError(
    `${url} answers for ${name} with the version ${seen}, which is invalid: ${problem}`,
  )
}

function isServer(value: unknown): value is ServerResponse {
  if (typeof value !== 'object' || value === null || !('server' in value)) return false
  const { server } = value
  return (
    typeof server === 'object' &&
    server !== null &&
    'name' in server &&
    typeof server.name === 'string' &&
    'version' in server &&
    typeof server.version === 'string'
  )
}
