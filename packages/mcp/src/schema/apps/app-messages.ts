/** Messages between a page and its host, as revision 2026-01-26 of the extension defines them. */

import type { JsonObject } from '../json.ts'
import type { Implementation } from '../metadata.ts'
import type { AppCsp } from './app-csp.ts'
import type { AppPermissions } from './app.ts'

/** The revision of the messages between a page and its host. */
export const appProtocolVersion = '2026-01-26'

/** How a page is shown. */
export type AppDisplayMode = 'inline' | 'fullscreen' | 'pip'

/** Where a page finds itself. A change of it holds only what changed. */
export interface AppHostContext {
  /** The call that the page is shown for. */
  readonly toolInfo?: { readonly id?: string | number; readonly tool: JsonObject }
  /** Whether the host is light or dark. */
  readonly theme?: 'light' | 'dark'
  /** CSS variables and fonts of the host, so that a page can look like it. */
  readonly styles?: {
    /** By the names of the specification, such as `--color-text-primary`. */
    readonly variables?: { readonly [name: string]: string | undefined }
    readonly css?: { readonly fonts?: string }
  }
  /** How the page is shown now. */
  readonly displayMode?: AppDisplayMode
  /** The ways in which the host can show it. */
  readonly availableDisplayModes?: readonly AppDisplayMode[]
  /** Fixed where it says `width` or `height`, up to a limit where it says `maxWidth` or `maxHeight`. */
  readonly containerDimensions?: {
    readonly width?: number
    readonly maxWidth?: number
    readonly height?: number
    readonly maxHeight?: number
  }
  /** For example `en-US`. */
  readonly locale?: string
  /** For example `Europe/Oslo`. */
  readonly timeZone?: string
  /** The host by name and version. */
  readonly userAgent?: string
  /** The kind of program that the host is. */
  readonly platform?: 'web' | 'desktop' | 'mobile'
  /** Whether the user can touch or hover. */
  readonly deviceCapabilities?: { readonly touch?: boolean; readonly hover?: boolean }
  /** Pixels at each edge that the device may cover. */
  readonly safeAreaInsets?: {
    readonly top: number
    readonly right: number
    readonly bottom: number
    readonly left: number
  }
}

/** Services of a host for a page. */
export interface AppHostCapabilities {
  /** The host opens links for the page. */
  readonly openLinks?: JsonObject
  /** The page may call tools of its server. */
  readonly serverTools?: { readonly listChanged?: boolean }
  /** The page may read resources of its server. */
  readonly serverResources?: { readonly listChanged?: boolean }
  /** The host takes log messages. */
  readonly logging?: JsonObject
  /** The page may put messages into the conversation. */
  readonly message?: JsonObject
  /** The page may tell the model about its state. */
  readonly updateModelContext?: JsonObject
  /** The permissions that were granted, of those that the page declared. */
  readonly sandbox?: { readonly permissions?: AppPermissions; readonly csp?: AppCsp }
}

/** Capabilities of a page. */
export interface AppCapabilities {
  /** The ways in which the page can be shown. @defaultValue inline only */
  readonly availableDisplayModes?: readonly AppDisplayMode[]
  /** The page itself offers tools to the host. */
  readonly tools?: { readonly listChanged?: boolean }
}

/** The answer to `ui/initialize`. */
export interface AppInitializeResult {
  /** The version of the apps extension that the host speaks. */
  readonly protocolVersion: string
  /** The host by name and version. */
  readonly hostInfo: Implementation
  /** Services of the host for the page. */
  readonly hostCapabilities: AppHostCapabilities
  /** Theme, size, language and so on, when the page was opened. */
  readonly hostContext: AppHostContext
}
