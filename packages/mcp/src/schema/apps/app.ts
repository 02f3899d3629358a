/** Metadata about apps: pages of a server that a host shows beside the results of its tools. */

import type { JsonObject } from '../json.ts'
import type { MetaObject } from '../metadata.ts'
import type { AppCsp } from './app-csp.ts'

/** SEP-1865, MCP Apps. */
export const appsExtension = 'io.modelcontextprotocol/ui'

/** The media type of a page that is an app. */
export const appMimeType = 'text/html;profile=mcp-app'

/** Browser features that a page requests; a host may refuse each. */
export interface AppPermissions {
  /** Asks for the camera. */
  readonly camera?: JsonObject
  /** Asks for the microphone. */
  readonly microphone?: JsonObject
  /** Asks where the user is. */
  readonly geolocation?: JsonObject
  /** Asks to write to the clipboard. */
  readonly clipboardWrite?: JsonObject
}

/** `_meta.ui` of a page: what it reaches, what it asks for, how it likes to be shown. */
export interface AppPageMeta {
  /** The origins that it loads from and sends to. @defaultValue none */
  readonly csp?: AppCsp
  /** Browser features that the page requests. @defaultValue nothing */
  readonly permissions?: AppPermissions
  /** An origin of its own, in the form that the host asks for. */
  readonly domain?: string
  /** Whether the host should draw a border and a ground. */
  readonly prefersBorder?: boolean
}

/** The callers of a tool: the model, the page of the same server, or both. */
export type AppVisibility = 'model' | 'app'

/** The page of a tool, and who may call the tool. */
export interface AppLink {
  /** The page that shows its results; absent for a tool that only pages call. */
  readonly resourceUri?: string
  /** The callers of the tool: the model, the page, or both. */
  readonly visibility: readonly AppVisibility[]
}

/**
 * What a tool says about apps; undefined for one that says nothing. Pages written for earlier drafts have
 * `ui/resourceUri`, which is read too.
 */
export function appLinkOf({
  _meta,
}: {
  readonly _meta?: MetaObject | undefined
}): AppLink | undefined {
  const ui = _meta?.['ui']
  const { resourceUri: nestedUri, visibility } = (
    typeof ui === 'object' && ui !== null ? ui : {}
  ) as {
    readonly resourceUri?: unknown
    readonly visibility?: unknown
  } // an object, whose members are looked at here
  const flat = _meta?.['ui/resourceUri']
  const found = [nestedUri, flat].find((uri) => typeof uri === 'string' && uri.startsWith('ui://'))
  if (found === undefined && visibility === undefined) return undefined
  return {
    ...(typeof found === 'string' && { resourceUri: found }),
    visibility: Array.isArray(visibility)
      ? everyVisibility.filter((candidate) => visibility.includes(candidate))
      : everyVisibility,
  }
}

/** Whether a tool may be called by this side. Tools that say nothing may be called by both. */
export function isToolFor(
  who: AppVisibility,
  tool: { readonly _meta?: MetaObject | undefined },
): boolean {
  return appLinkOf(tool)?.visibility.includes(who) ?? true
}

export const everyVisibility: readonly AppVisibility[] = ['model', 'app']
