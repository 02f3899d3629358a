/**
 * `createServer()`: checks options and registers tools, resources, prompts, mounts, middleware and extensions in a `Definition`.
 *
 * Returns the object that authors use; nothing here knows a client or a transport. Mistakes throw `invalid_definition` with the
 * line to write instead. What is registered is read by `feature-index.ts` when the first request comes.
 */
import { createDeprecations, type OnDeprecated } from '../rpc/deprecation.ts'
import type { OnError } from '../rpc/errors/on-error.ts'
import type { RequestObserver } from '../rpc/observer.ts'
import type { Transport } from '../rpc/transport.ts'
import type { CompileSchema } from '../schema/json-schema/compile.ts'
import type { JsonObject } from '../schema/json.ts'
import type { Icon, Implementation } from '../schema/metadata.ts'
import type { Operation } from '../schema/methods/client-requests.ts'
import type { AnyTools, Tool } from '../schema/tools.ts'
import { checkOptions } from './check-options.ts'
import type { IncomingRequest } from './context.ts'
import {
  addFeature,
  addLayer,
  announce,
  createDefinition,
  mountDefinition,
  type Definition,
  type Source,
} from './definition.ts'
import { checkExtensions, type ServerExtension } from './extensions.ts'
import { indexOf, type ExposedFeature } from './feature-index.ts'
import { invalidDefinition, type Feature, type Registration } from './feature.ts'
import { listProblem, type CacheHint } from './lists/lists.ts'
import type { Middleware } from './middleware.ts'
import { definitionOf, type Server } from './server.ts'
import { serveDefinition } from './sessions/serve-connection.ts'
import type { InvalidArguments, ToolEntry } from './tools/tools.ts'

/** Options of `createServer`: name, version, and what differs from the defaults. */
export interface ServerOptions<
  App = unknown,
  Features extends readonly Feature<never>[] = readonly Feature<App>[],
> {
  /** The name of the server, for programs. */
  readonly name: string
  /** The version of the server, in whatever form you use. */
  readonly version: string
  /** A name for people. */
  readonly title?: string | undefined
  /** The purpose of the server, in a sentence. */
  readonly description?: string | undefined
  /** Where people read more about it. */
  readonly websiteUrl?: string | undefined
  /** Icons to show beside its name. */
  readonly icons?: readonly Icon[] | undefined
  /** For the model: how to use this server. */
  readonly instructions?: string | undefined
  /** Your own values for each request: the user, a tenant's database. Runs once per request, before middleware. */
  readonly app?: ((request: IncomingRequest) => App | Promise<App>) | undefined
  /** Features made by `defineTool` and friends. Tools listed here type `connect(server)`. */
  readonly features?: Features | undefined
  /** Kinds to declare although none exists yet. @defaultValue the kinds that exist when a client connects */
  readonly declares?: readonly ('tools' | 'resources' | 'prompts')[] | undefined
  /** Capabilities outside the specification, by name. */
  readonly experimental?: { readonly [id: string]: JsonObject } | undefined
  /** Extensions of the protocol, such as `serverTasks()`. Off unless named here. */
  readonly extensions?: readonly ServerExtension<App>[] | undefined
  /** How long clients may cache lists, in revisions that can say it. @defaultValue not at all */
  readonly cache?: CacheHint | undefined
  /** How invalid arguments are reported. @defaultValue 'tool_error', which the model can read */
  readonly invalidArguments?: InvalidArguments | undefined
  /**
   * Before arguments of a tool are refused: read text as a number, boolean, null, or JSON where the schema allows no text.
   * Arguments that fit are never changed. @defaultValue false
   */
  readonly coerceArguments?: boolean | undefined
  /** Pages are also cut at 1 MiB. @defaultValue 1_000 */
  readonly pageSize?: number | undefined
  /** Turns JSON Schema into checks. @defaultValue the built-in engine, which generates no code */
  readonly compileSchema?: CompileSchema | undefined
  /** Watches every request, for telemetry. @defaultValue nothing is watched */
  readonly observer?: RequestObserver | undefined
  /** Called for every error, with the operation and the peer; no error is swallowed. @defaultValue prints to standard error */
  readonly onError?: OnError | undefined
  /**
   * Called once for each deprecated feature that a call of 2026-07-28 uses; `() => undefined` silences it.
   * @defaultValue a `DeprecationWarning` of Node, once in the process
   */
  readonly onDeprecated?: OnDeprecated | undefined
}

/** The tools of a server, or of a list of features, by name. */
export type ToolsOf<From extends readonly unknown[] | { readonly '~tools'?: unknown }> =
  From extends readonly unknown[] ? ToolsOfFeatures<From> : ToolsOfServer<From>

type ToolsOfServer<From> = From extends { readonly '~tools'?: infer Tools }
  ? Exclude<Tools, undefined>
  : never

type ToolsOfFeatures<Features extends readonly unknown[]> = Features extends readonly []
  ? AnyTools
  : {
      readonly [
        F in Extract<Features[number], { readonly kind: 'tool' }> as F extends {
          readonly name: infer Name extends string
        }
          ? Name
          : never
      ]: F extends { readonly '~types'?: infer Types } ? NonNullable<Types> : never
    }

/** Refuses features that need more of `app` than the server provides. */
type FeaturesFit<App, Features> = Features extends readonly Feature<App>[]
  ? unknown
  : { readonly features: readonly Feature<App>[] }

/** A server is a definition: any number of callers use it at once, and it remembers none of them. */
export function createServer<const Features extends readonly Feature[] = readonly []>(
  options: ServerOptions<unknown, Features> & { readonly app?: undefined },
): Server<unknown, ToolsOfFeatures<Features>>
export function createServer<App, const Features extends readonly Feature<never>[] = readonly []>(
  options: ServerOptions<App, Features> &
    FeaturesFit<App, Features> & { readonly app: (request: IncomingRequest) => App | Promise<App> },
): Server<App, ToolsOfFeatures<Features>>
export function createServer(
  options: ServerOptions<unknown, readonly Feature<never>[]>,
  ...others: readonly unknown[]
): Server {
  const feature = `server ${JSON.stringify(options?.name)}`
  if (typeof options?.name !== 'string' || typeof options.version !== 'string') {
    throw invalidDefinition(feature, "write createServer({ name: 'notes', version: '1.0.0' })")
  }
  if (others.length > 0) {
    const right = "write createServer({ name: 'notes', version: '1.0.0', instructions: '…' })"
    throw invalidDefinition(feature, `all options are one object, with name and version: ${right}`)
  }
  checkOptions(feature, 'server', options)
  const definition = createDefinition(infoOf(options), {
    instructions: options.instructions,
    app: options.app,
    declares: options.declares ?? [],
    experimental: options.experimental,
    extensions: checkExtensions(options.extensions ?? []),
    cache: options.cache,
    invalidArguments: options.invalidArguments ?? 'tool_error',
    coerceArguments: options.coerceArguments,
    pageSize: options.pageSize ?? 1_000,
    compileSchema: options.compileSchema,
    hasTasks: options.extensions?.some((extension) => extension['~server']?.callTool),
    observer: options.observer,
    onError: options.onError ?? printError,
    deprecated: createDeprecations(options.onDeprecated),
  })
  const problem = listProblem(options.cache, definition.settings.pageSize)
  if (problem !== undefined) throw invalidDefinition(feature, problem)
  addAll(definition, options.features ?? [])
  for (const { features = [] } of definition.settings.extensions) addAll(definition, features)
  return serverOf(definition)
}

function serverOf(definition: Definition): Server {
  const server = {
    __proto__: otherNames,
    info: definition.info,
    '~definition': definition,
    '~serve': (transport: Transport, options: Parameters<Server['~serve']>[1]) =>
      serveDefinition(definition, transport, options),
    tool: (name: string, config: object, handler: object) => {
      return addFeature(definition, { kind: 'tool', name, config, handler } as Source) // the signature saw to it, as below
    },
    resource: (name: string, config: object, handler: object) =>
      addFeature(definition, { kind: 'resource', name, config, handler } as Source),
    prompt: (name: string, config: object, handler: object) =>
      addFeature(definition, { kind: 'prompt', name, config, handler } as Source),
    add: (...features: readonly Feature<never>[]) => addAll(definition, features),
    mount(prefix: string, other: Server, { separator = '_' } = {}) {
      requireServer(prefix, other)
      return mountDefinition(
        definition,
        definitionOf(other),
        prefix === '' ? '' : `${prefix}${separator}`,
      )
    },
    tools: () => [...indexOf(definition).tools.values()].map(listedTool),
    use(first: Operation | Middleware, second?: Middleware) {
      const [operation, run] = typeof first === 'string' ? [first, second] : [undefined, first]
      addLayer(definition, operation, run as Middleware<never>) // given in one place or the other
      return server
    },
    notifyChanged(what: 'tools' | 'prompts' | 'resources' | { readonly uri: string }) {
      announce(
        definition,
        typeof what === 'string' ? { type: what } : { type: 'resource', uri: what.uri },
      )
    },
  }
  return server as unknown as Server // overloads cannot be written as an object
}

/** Methods of other SDKs, for programs in JavaScript: each names the one to use. */
const otherNames: object = Object.fromEntries(
  Object.entries({
    registerTool: 'server.tool(name, { … }, handler)',
    addTool: 'server.tool(name, { … }, handler)',
    registerResource: 'server.resource(uri, { … }, handler)',
    addResource: 'server.resource(uri, { … }, handler)',
    registerPrompt: 'server.prompt(name, { … }, handler)',
    addPrompt: 'server.prompt(name, { … }, handler)',
    setRequestHandler:
      'server.tool(), resource() and prompt(), or an extension for methods of your own',
    connect:
      'await serve(server), with serve of @parley/mcp/node, or serveTransport(server, transport)',
    start: 'await serve(server), with serve of @parley/mcp/node',
  }).map(([name, right]) => {
    const reject = (): never => {
      throw invalidDefinition(`server.${name}`, `there is no such method: write ${right}`)
    }
    return [name, reject]
  }),
)

function listedTool({ name, entry }: ExposedFeature<ToolEntry>): Tool {
  return entry.name === name ? entry.listed : { ...entry.listed, name }
}

function addAll(definition: Definition, features: readonly Feature<never>[]): Registration {
  const added: Registration<object>[] = []
  function remove(): void {
    for (const registration of added) registration.remove()
  }
  try {
    for (const feature of features) added.push(addFeature(definition, feature as unknown as Source)) // made by defineX
  } catch (error) {
    remove()
    throw error
  }
  return { update: () => undefined, remove, [Symbol.dispose]: remove }
}

function infoOf(options: ServerOptions<unknown, readonly Feature<never>[]>): Implementation {
  const { name, version, title, description, websiteUrl, icons } = options
  return {
    name,
    version,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(websiteUrl !== undefined && { websiteUrl }),
    ...(icons !== undefined && { icons }),
  }
}

/** Standard error, never standard output: that is the wire of a stdio server. */
const printError: OnError = (error, { severity, correlationId, operation }) => {
  const about = [operation, correlationId].filter((part) => part !== undefined).join(' ')
  console.error(`[${severity}]${about === '' ? '' : ` ${about}:`}`, error)
}

/** For programs in JavaScript: a client is given where a server is expected. */
function requireServer(prefix: string, other: unknown): void {
  const definition = typeof other === 'object' && other !== null ? other : {}
  if ('~definition' in definition) return
  const isClient = 'callTool' in definition
  const why = isClient
    ? `this is a client: write await mountClient(server, ${JSON.stringify(prefix)}, client), with mountClient of @parley/mcp/server`
    : 'mount() takes what createServer() returned'
  throw invalidDefinition(`mount ${JSON.stringify(prefix)}`, why)
}
