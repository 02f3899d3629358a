/**
 * The server card (SEP-2127): a description of the server that clients read before they connect, and the catalogue of a domain.
 * `cardRoutes()` returns the routes that serve both.
 *
 * Public and cacheable: holds nothing that depends on the caller. Reading other servers' cards is in `@parley/auth`.
 */

import type { Icon, Implementation } from '../../../schema/metadata.ts'
import { capabilitiesOf } from '../../../server/capabilities.ts'
import type { Definition } from '../../../server/definition.ts'
import { supportedRevisions } from '../../../wire/revisions.ts'
import { invalidOption } from '../admission/public-options.ts'
import type { Routes } from './exchange.ts'

/** The description of a remote server that clients read before they connect: the document of SEP-2127. */
export interface ServerCard {
  /** The schema that the document follows. */
  readonly $schema: string
  /** `namespace/name`, the namespace a domain reversed. */
  readonly name: string
  /** The version of the server. */
  readonly version: string
  /** The purpose of the server, in at most 100 characters. */
  readonly description: string
  /** For people. */
  readonly title?: string
  /** Where people read more about it. */
  readonly websiteUrl?: string
  /** Where its sources are. */
  readonly repository?: ServerCardRepository
  /** Icons to show beside the name. */
  readonly icons?: readonly Icon[]
  /** Where it is reached. */
  readonly remotes?: readonly ServerCardRemote[]
  /** Extra data, under keys with a prefix of your own; neither side has to understand it. */
  readonly _meta?: { readonly [key: string]: unknown }
}

/** Where the sources are. */
export interface ServerCardRepository {
  /** The address of the repository. */
  readonly url: string
  /** The forge, such as `github`. */
  readonly source: string
  /** Where in the repository the server is; absent if that is its root. */
  readonly subfolder?: string
  /** The forge's own id. */
  readonly id?: string
}

/** One address of a server. */
export interface ServerCardRemote {
  /** The transport. */
  readonly type: 'streamable-http' | 'sse'
  /** The address of the endpoint. */
  readonly url: string
  /** Newest first. */
  readonly supportedProtocolVersions?: readonly string[]
}

/** Members of a card that the definition of the server does not have. */
export interface ServerCardOptions {
  /** @defaultValue the name of the server if it has a namespace, else the host of `url`, reversed, and the name */
  readonly name?: string | undefined
  /** At most 100 characters. @defaultValue the server's own, else its title or name */
  readonly description?: string | undefined
  /** Where the sources are. @defaultValue not said */
  readonly repository?: ServerCardRepository | undefined
  /** More of your own, under keys with a domain. */
  readonly _meta?: { readonly [key: string]: unknown } | undefined
}

/** Where the server is, and who may call it. */
export interface CardLocation {
  /** The address that clients use. */
  readonly url: URL
  /** Where HTTP+SSE is served, as clients reach it. */
  readonly sseUrl?: URL | undefined
  readonly revisions?: readonly string[] | undefined
  readonly isGuarded: boolean
  /** Whether the guard serves metadata of the resource. */
  readonly hasMetadata: boolean
}

/** Types of the two documents. */
const cardType = 'application/mcp-server-card+json'
const catalogType = 'application/ai-catalog+json'
const schemaUrl = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json'
/** Where capabilities and sign-in stand, for which the document has no fields of its own. */
const ownKey = 'dev.parley/server'

/**
 * Serves the card at the place that is reserved for it, `server-card` below the endpoint, where earlier drafts had it, and
 * in the catalogue of the site. Made anew for every request: features may come and go.
 */
export function cardRoutes(
  definition: Definition,
  options: ServerCardOptions,
  { path, positionOf }: { readonly path: string; readonly positionOf: () => CardLocation },
): Routes {
  requireName(options)
  const base = path.replace(/\/$/, '')
  const card = () => JSON.stringify(createCard(definition, options, positionOf()))
  const catalog = () => JSON.stringify(createCatalog(definition, options, positionOf()))
  const documents = new Map<string, readonly [type: string, make: () => string]>([
    [`${base}/server-card`, [cardType, card]],
    ['/.well-known/mcp/server-card.json', [cardType, card]],
    ['/.well-known/ai-catalog.json', [catalogType, catalog]],
  ])
  return (request) => {
    const found = documents.get(new URL(request.url).pathname)
    return found && answer(request, found[0], found[1])
  }
}

function createCard(
  definition: Definition,
  options: ServerCardOptions,
  { url, sseUrl, revisions = supportedRevisions, isGuarded, hasMetadata }: CardLocation,
): ServerCard {
  const { info } = definition
  const { description, repository, _meta: meta } = options
  const cardDescription = description ?? info.description ?? info.title ?? info.name
  const versions = revisions.toSorted().toReversed()
  const metadata = new URL(
    `/.well-known/oauth-protected-resource${url.pathname.replace(/\/$/, '')}`,
    url,
  )
  return {
    $schema: schemaUrl,
    name: nameOf(info, options, url),
    version: info.version,
    description: Array.from(cardDescription).slice(0, 100).join(''),
    ...(info.title !== undefined && { title: Array.from(info.title).slice(0, 100).join('') }),
    ...(info.websiteUrl !== undefined && { websiteUrl: info.websiteUrl }),
    ...(repository !== undefined && { repository }),
    ...(info.icons !== undefined && { icons: info.icons }),
    remotes: [
      { type: 'streamable-http', url: url.href, supportedProtocolVersions: versions },
      ...(sseUrl === undefined ? [] : [{ type: 'sse', url: sseUrl.href } as const]),
    ],
    _meta: {
      ...meta,
      [ownKey]: {
        capabilities: Object.keys(capabilitiesOf(definition)),
        authentication: {
          required: isGuarded,
          ...(hasMetadata && { resourceMetadata: metadata.href }),
        },
      },
    },
  }
}

/** A domain says which servers it has. */
function createCatalog(
  { info }: Definition,
  options: ServerCardOptions,
  { url }: CardLocation,
): object {
  const [namespace = '', last = ''] = nameOf(info, options, url).split('/')
  const domain = namespace.split('.').toReversed().join('.')
  return {
    specVersion: '1.0',
    entries: [
      {
        identifier: `urn:air:${domain}:mcp:${last}`,
        type: cardType,
        url: `${url.href.replace(/\/$/, '')}/server-card`,
      },
    ],
  }
}

const namePattern = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/

function requireName({ name }: ServerCardOptions): void {
  if (name === undefined || (namePattern.test(name) && name.length <= 200)) return
  throw invalidOption(
    'card',
    `card.name ${JSON.stringify(name)} is not a namespace and a name`,
    'For example com.example/weather.',
  )
}

function nameOf({ name: own }: Implementation, { name }: ServerCardOptions, url: URL): string {
  if (name !== undefined) return name
  if (namePattern.test(own) && own.length <= 200) return own
  const host = url.hostname.replaceAll(/^\[|\]$/g, '').replaceAll(':', '-')
  const isAddress = /^[\d.]+$/.test(host) || host.includes('-')
  const namespace = isAddress ? host : host.split('.').toReversed().join('.')
  const last = own.replaceAll(/[^a-zA-Z0-9._-]+/g, '-') || 'server'
  return `${namespace}/${last}`.slice(0, 200)
}

/** Any page may read it, and caches may keep it: there is nothing in it that is for some callers only. */
const headers = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': 'Content-Type, If-None-Match',
  'access-control-expose-headers': 'ETag',
  'x-content-type-options': 'nosniff',
}

async function answer(request: Request, type: string, make: () => string): Promise<Response> {
  const { method } = request
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers })
  if (method !== 'GET' && method !== 'HEAD') {
    return new Response(null, { status: 405, headers: { ...headers, allow: 'GET, HEAD, OPTIONS' } })
  }
  const body = make()
  const etag = await tagOf(body)
  const cached = { ...headers, etag, 'cache-control': 'public, max-age=3600' }
  const tags = (request.headers.get('if-none-match') ?? '').split(',').map((word) => word.trim())
  if (tags.some((candidate) => candidate.replace(/^W\//, '') === etag || candidate === '*')) {
    return new Response(null, { status: 304, headers: cached })
  }
  const content = { ...cached, 'content-type': type }
  return new Response(method === 'HEAD' ? null : body, { headers: content })
}

async function tagOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  const bytes = [...new Uint8Array(digest).subarray(0, 12)]
  return `"${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}"`
}
