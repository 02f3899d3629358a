import type { JsonObject } from '@parley/mcp'
import { parseUrl } from '@parley/mcp/address'
import { isJsonObject } from '@parley/mcp/json'

import { objectOf, type Operation } from './operations.ts'
import { OpenApiError, type OpenApiDocument } from './read-document.ts'

/** Where requests go. */
export interface ApiServerOptions {
  /** In place of the document's first server. */
  readonly baseUrl?: string | URL | undefined
  /** Values for `{variables}` of the document's servers. @defaultValue the document's defaults */
  readonly serverVariables?: { readonly [name: string]: string } | undefined
  /** Hosts that servers of single operations may name besides; others are never asked. @defaultValue none */
  readonly hosts?: readonly string[] | undefined
}

/** Where an operation is, or why it cannot be asked. */
export type Located = { readonly base: URL } | { readonly problem: string }

/** Finds the server of each operation. Throws if the document has no usable server and none is given. */
export function createLocator(
  { root }: OpenApiDocument,
  options: ApiServerOptions,
): (operation: Operation) => Located {
  const [first] = Array.isArray(root['servers']) ? root['servers'].filter(isJsonObject) : []
  const base = options.baseUrl === undefined ? baseOf(first, options) : parse(options.baseUrl)
  if (base === undefined) {
    const seen =
      first === undefined
        ? 'names no server'
        : `has the server ${JSON.stringify(first['url'])}, which is not an absolute URL`
    throw new OpenApiError(`the document ${seen}: give baseUrl`)
  }
  const hosts = new Set([base.host, ...(options.hosts ?? [])])
  const replacedHost = options.baseUrl === undefined ? undefined : hostOf(first)

  return ({ servers: [own] }) => {
    if (own === undefined) return { base }
    const located = baseOf(own, options)
    // Relative to the document's own, or the one that baseUrl stands for.
    if (located === undefined || located.host === replacedHost) return { base }
    if (!hosts.has(located.host)) {
      return { problem: `its server is ${located.host}: add it to hosts` }
    }
    return located.protocol === 'http:' && base.protocol === 'https:'
      ? { problem: 'its server is asked by http, while the others are asked by https' }
      : { base: located }
  }
}

/** The host of a server, also of one that leaves out the scheme. */
function hostOf(server: JsonObject | undefined): string | undefined {
  const url = server?.['url']
  return typeof url === 'string' && url.includes('//')
    ? parseUrl(url, 'https://host')?.host
    : undefined
}

function baseOf(server: JsonObject | undefined, options: ApiServerOptions): URL | undefined {
  if (server === undefined || typeof server['url'] !== 'string') return undefined
  const variables = objectOf(server['variables'])
  const url = server['url'].replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    const { default: usual, enum: allowed } = objectOf(variables[name])
    const value = options.serverVariables?.[name] ?? usual
    if (typeof value !== 'string') {
      throw new OpenApiError(`the server needs a value for {${name}}: give serverVariables.${name}`)
    }
    if (Array.isArray(allowed) && !allowed.includes(value)) {
      throw new OpenApiError(
        `serverVariables.${name} is ${JSON.stringify(value)}: use one of ${allowed.join(', ')}`,
      )
    }
    return value
  })
  return /^https?:\/\//i.test(url) ? parse(url) : undefined
}

function parse(url: string | URL): URL {
  const parsed = parseUrl(String(url))
  if (parsed === undefined) {
    throw new OpenApiError(
      `${JSON.stringify(String(url))} is not a URL: write https://api.example.com`,
    )
  }
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') {
    throw new OpenApiError(`${parsed.protocol} is not supported: use https or http`)
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new OpenApiError('the URL has a user name or password: give credentials instead')
  }
  return parsed
}
