/** What a page and its host say to each other, as revision 2026-01-26 of the extension has it. */

import type { JsonObject } from '../json/json.ts'
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
  readonly theme?: 'light' | 'dark'
  readonly styles?: {
    /** By the names of the specification, such as `--color-text-primary`. */
    readonly variables?: { readonly [name: string]: string | undefined }
    readonly css?: { readonly fonts?: string }
  }
  readonly displayMode?: AppDisplayMode
  readonly availableDisplayModes?: readonly AppDisplayMode[]
  /** Fixed where it says `width` or `height`, up to a limit where it says `maxWidth` or `maxHeight`. */
  readonly containerDimensions?: {
    readonly width?: number
    readonly maxWidth?: number
    readonly height?: number
    readonly maxHeight?: number
  }
  /** As in `en-US`. */
  readonly locale?: string
  /** As in `Europe/Oslo`. */
  readonly timeZone?: string
  readonly userAgent?: string
  readonly platform?: 'web' | 'desktop' | 'mobile'
  readonly deviceCapabilities?: { readonly touch?: boolean; readonly hover?: boolean }
  readonly safeAreaInsets?: {
    readonly top: number
    readonly right: number
    readonly bottom: number
    readonly left: number
  }
}

/** What a host does for a page. */
export interface AppHostCapabilities {
  readonly openLinks?: JsonObject
  readonly serverTools?: { readonly listChanged?: boolean }
  readonly serverResources?: { readonly listChanged?: boolean }
  readonly logging?: JsonObject
  readonly message?: JsonObject
  readonly updateModelContext?: JsonObject
  /** What was granted of what the page declared. */
  readonly sandbox?: { readonly permissions?: AppPermissions; readonly csp?: AppCsp }
}

/** What a page can do. */
export interface AppCapabilities {
  readonly availableDisplayModes?: readonly AppDisplayMode[]
  readonly tools?: { readonly listChanged?: boolean }
}

/** The answer to `ui/initialize`. */
export interface AppInitializeResult {
  readonly protocolVersion: string
  readonly hostInfo: Implementation
  readonly hostCapabilities: AppHostCapabilities
  readonly hostContext: AppHostContext
}
