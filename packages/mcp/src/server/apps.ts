/**
 * Apps: pages that a host shows beside the results of a server's tools. `defineApp()` makes tools and their page, `serverApps()` adds them
 * to a server and declares the extension.
 *
 * The metadata is in `schema/apps/`, the client's half in `client/apps/`, and the page's half in `transport/app-page/`.
 */

import { readAppCsp } from '../schema/apps/app-csp.ts'
import {
  appMimeType,
  appsExtension,
  everyVisibility,
  type AppPageMeta,
  type AppVisibility,
} from '../schema/apps/app.ts'
import type { JsonObject } from '../schema/json.ts'
import type { RequestContext } from './context.ts'
import type { ServerExtension } from './extensions.ts'
import { invalidDefinition, type Feature } from './feature.ts'
import type { CacheHint } from './lists/lists.ts'
import { defineResource } from './resources/resources.ts'
import { isObject, isToolResult, toolResult } from './tools/tool-result.ts'
import type { ToolFeature, ToolSource } from './tools/tools.ts'

/** A page, and the tools whose results it shows. */
export interface AppConfig<App = unknown> extends AppPageMeta {
  /** Begins with `ui://`. */
  readonly uri: string
  /** For programs. @defaultValue the URI */
  readonly name?: string | undefined
  /** For people. */
  readonly title?: string | undefined
  /** The purpose of the page. */
  readonly description?: string | undefined
  /** The whole page, scripts and styles in it; a function is called for each read. */
  readonly html: string | (() => string | Promise<string>)
  /** Tools made by `defineTool`, or by {@link appTool} with more to say about them. */
  readonly tools: readonly (Feature<App> | AppTool<App>)[]
  /** How long clients may keep the page. @defaultValue not at all */
  readonly cache?: CacheHint | undefined
}

/** Options of a tool that belongs to an app. */
export interface AppToolOptions<Output = never> {
  /** The allowed callers. A tool for the app alone is not listed to clients without apps. @defaultValue both */
  readonly visibility?: readonly AppVisibility[] | undefined
  /** The text of its structured result: what models read, and people whose client shows no apps. @defaultValue the JSON */
  readonly text?: ((output: Output) => string) | undefined
}

/** A tool of an app, made by {@link appTool}. */
export interface AppTool<in App = unknown> extends AppToolOptions {
  /** Made by `defineTool`. */
  readonly tool: Feature<App>
}

/** Says more about a tool of an app than the tool does. */
export function appTool<Output, App = unknown>(
  tool: ToolFeature<string, unknown, Output, App>,
  options: AppToolOptions<Output>,
): AppTool<App> {
  return { tool, ...options }
}

/** Tools with their page, as features: give them to `features`, `server.add` or {@link serverApps}. */
export function defineApp<App = unknown>(config: AppConfig<App>): readonly Feature<App>[] {
  const { uri, name, title, description, html, cache } = config
  const feature = `app ${JSON.stringify(uri)}`
  const ui = checkedMeta(config, feature)
  const _meta = Object.keys(ui).length === 0 ? undefined : { ui }
  const page = defineResource<string, App>(
    uri,
    { name, title, description, mimeType: appMimeType, cache, _meta },
    async () => ({
      mimeType: appMimeType,
      text: typeof html === 'function' ? await html() : html,
      ...(_meta && { _meta }),
    }),
  )
  const tools = config.tools.map((tool) =>
    linked('tool' in tool ? tool : { tool: tool }, uri, feature),
  )
  return [...tools, page]
}

function checkedMeta<App>(config: AppConfig<App>, feature: string): JsonObject {
  const { uri, html, csp, permissions, domain, prefersBorder } = config
  if (!/^ui:\/\/[^\s{}]+$/.test(uri)) {
    throw invalidDefinition(feature, 'the URI of an app begins with ui://, as in ui://shop/cart')
  }
  if (typeof html === 'string' && !html.includes('<')) {
    throw invalidDefinition(feature, 'html is the page itself, not a path to it')
  }
  const [rejectedDomain] = readAppCsp(csp).rejected
  if (rejectedDomain !== undefined) {
    throw invalidDefinition(
      feature,
      `csp.${rejectedDomain.list}: ${rejectedDomain.domain}: ${rejectedDomain.why}`,
    )
  }
  const unknown = Object.keys(permissions ?? {}).find((key) => !permissionNames.includes(key))
  if (unknown !== undefined) {
    throw invalidDefinition(
      feature,
      `unknown permission ${unknown}: use ${permissionNames.join(', ')}`,
    )
  }
  return {
    ...(csp && { csp: csp as JsonObject }), // lists of text
    ...(permissions && { permissions: permissions as JsonObject }), // empty objects
    ...(domain !== undefined && { domain }),
    ...(prefersBorder !== undefined && { prefersBorder }),
  }
}

const permissionNames = ['camera', 'microphone', 'geolocation', 'clipboardWrite']

/** The same tool, which says where its page is. */
function linked<App>(
  { tool, visibility = everyVisibility, text }: AppTool<App>,
  resourceUri: string,
  feature: string,
): Feature<App> {
  if (tool.kind !== 'tool') {
    throw invalidDefinition(feature, `${tool.kind} ${JSON.stringify(tool.name)} is not a tool`)
  }
  if (visibility.length === 0) {
    throw invalidDefinition(
      feature,
      `neither a model nor an app may call tool ${JSON.stringify(tool.name)}`,
    )
  }
  const { config, handler, ...rest } = tool as unknown as ToolSource // what defineTool makes
  const isForAll = everyVisibility.every((candidate) => visibility.includes(candidate))
  const ui = { resourceUri, ...(!isForAll && { visibility }) }
  const source: ToolSource = {
    ...rest,
    config: {
      ...config,
      _meta: { ...config._meta, ui },
      ...(!visibility.includes('model') && { visible: appsOnly(config.visible) }),
    },
    handler: text === undefined ? handler : withText(handler, text),
  }
  return source
}

/** Returns the rule that lists a tool only to clients that show pages, if the tool's own rule allows it. */
function appsOnly(own: ToolSource['config']['visible']): ToolSource['config']['visible'] {
  return (context: RequestContext<never>) => showsApps(context) && (own?.(context) ?? true)
}

/** Whether the client said that it shows apps. */
export function showsApps({ client }: Pick<RequestContext, 'client'>): boolean {
  const { mimeTypes } = client.capabilities.extensions?.[appsExtension] ?? {}
  return Array.isArray(mimeTypes) && mimeTypes.includes(appMimeType)
}

/** Words for a structured result; a result that the handler wrote itself stays as it is. */
function withText(
  handler: ToolSource['handler'],
  text: (output: never) => string,
): ToolSource['handler'] {
  return async (args, context) => {
    const returned: unknown = await handler(args, context)
    const isPlain =
      isObject(returned) &&
      !isToolResult(returned) &&
      Object.getPrototypeOf(returned) === Object.prototype
    if (!isPlain) return returned
    return toolResult({ structuredContent: returned, content: [text(returned as never)] }) // its own output
  }
}

/** Adds apps made by `defineApp` to a server, and tells clients that it has some. */
export function serverApps<App = unknown>(
  ...apps: readonly (readonly Feature<App>[])[]
): ServerExtension<App> {
  return {
    id: appsExtension,
    settings: { mimeTypes: [appMimeType] },
    features: apps.flat(),
  }
}
