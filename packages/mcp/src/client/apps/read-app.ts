import { McpError } from '../../rpc/errors/mcp-error.ts'
import { readAppCsp, type AppCsp, type RejectedDomain } from '../../schema/apps/app-csp.ts'
import { appMimeType, type AppPermissions } from '../../schema/apps/app.ts'
import type { ResourceContents } from '../../schema/resources.ts'
import type { Client } from '../client.ts'
import type { CallOptions } from '../options.ts'

/** The part of a client that reading a page needs. */
export type AppsClient = Pick<Client, 'server' | 'readResource'>

/** A page of a server, with what it may reach. Nothing of it is to be trusted. */
export interface AppPage {
  /** The `ui://` address that it was read from. */
  readonly uri: string
  /** The whole document, as the server sent it; at most 8 Mi characters. */
  readonly html: string
  /** The domains that it declared and may reach. */
  readonly csp: Required<AppCsp>
  /** The domains that it declared and may not reach. */
  readonly rejected: readonly RejectedDomain[]
  /** The permissions that it asks for. The host grants them or not. */
  readonly permissions: AppPermissions
  /** Whether the page wants a border drawn around it; absent if it does not say. */
  readonly prefersBorder?: boolean
  /** The origin that the page asks to be served from, cut at 300 characters; absent if it asks for none. */
  readonly domain?: string
}

/** Longer pages are refused. */
const maxCharacters = 8 * 1024 * 1024

/** Reads the page of a tool by the URI that `appLinkOf` gives. What is not an app is `invalid_message`. */
export async function readApp(
  client: AppsClient,
  uri: string,
  options?: CallOptions,
): Promise<AppPage> {
  const peer = client.server.info?.name
  const reject = (why: string): McpError =>
    new McpError('invalid_message', `${uri} is not an app: ${why}`, {
      details: { excerpt: why },
      peer,
    })
  if (!uri.startsWith('ui://')) throw reject('its URI does not begin with ui://')
  const { contents } = await client.readResource(uri, options)
  const part = contents.find((content) => content.uri === uri)
  if (part === undefined) throw reject(`the answer has no contents with this URI`)
  if (!isAppType(part.mimeType)) {
    throw reject(`its type is ${part.mimeType ?? 'not given'}, not ${appMimeType}`)
  }
  const html = htmlOf(part)
  if (html === undefined) throw reject('its blob is not base64 of UTF-8')
  if (html.length > maxCharacters) {
    const details = { limit: 'characters of an app', allowed: maxCharacters, seen: html.length }
    throw new McpError(
      'limit_exceeded',
      `${uri} has ${html.length} characters, of ${maxCharacters}`,
      {
        details,
        peer,
      },
    )
  }
  return { uri, html, ...metaOf(part) }
}

/** Parameters may be written in other ways. */
function isAppType(mimeType: string | undefined): boolean {
  return mimeType?.toLowerCase().replace(/[\s"]/g, '') === appMimeType
}

function metaOf({ _meta }: ResourceContents): Omit<AppPage, 'uri' | 'html'> {
  const ui = _meta?.['ui']
  const { csp, permissions, prefersBorder, domain } = (
    typeof ui === 'object' && ui !== null ? ui : {}
  ) as { readonly [name: string]: unknown } // an object, whose members are looked at here
  const { allowed, rejected } = readAppCsp(csp)
  return {
    csp: allowed,
    rejected,
    permissions: permissionsOf(permissions),
    ...(typeof prefersBorder === 'boolean' && { prefersBorder }),
    ...(typeof domain === 'string' && { domain: domain.slice(0, 300) }),
  }
}

function permissionsOf(value: unknown): AppPermissions {
  const requested = typeof value === 'object' && value !== null ? value : {}
  return {
    ...('camera' in requested && { camera: {} }),
    ...('microphone' in requested && { microphone: {} }),
    ...('geolocation' in requested && { geolocation: {} }),
    ...('clipboardWrite' in requested && { clipboardWrite: {} }),
  }
}

function htmlOf(part: ResourceContents): string | undefined {
  if ('text' in part) return part.text
  try {
    const bytes = Uint8Array.from(atob(part.blob), (item) => item.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined // said as an error
  }
}
