/**
 * `initialize` and `server/discover`: what a client and the server settle before anything else.
 *
 * `initialize` reads the params, opens the backend of a proxy, chooses the revision and writes the response; its caller creates the
 * session (`serve-connection.ts` for connections, `post-initialize.ts` for HTTP). Results are cached per revision. Modern clients do
 * not initialize: their `_meta` is read in `calls/modern-caller.ts`.
 */
import { RpcError } from '../rpc/errors/rpc-error.ts'
import { jsonWeight } from '../rpc/json/json-limits.ts'
import { resultText } from '../rpc/json/json-text.ts'
import type { Request } from '../rpc/message.ts'
import { isPromise, type MaybePromise } from '../rpc/promise.ts'
import type { ClientCapabilities, ServerCapabilities } from '../schema/capabilities.ts'
import { describeProblem } from '../schema/check.ts'
import { omit } from '../schema/json.ts'
import {
  initializeParams,
  type InitializeRequestParams,
  type DiscoverResult,
} from '../schema/lifecycle.ts'
import type { Implementation } from '../schema/metadata.ts'
import type { Revision } from '../schema/revision.ts'
import type { Codec } from '../wire/codec.ts'
import { featuresOf, newestRevision } from '../wire/features.ts'
import { codecOf } from '../wire/revisions.ts'
import type { BackendSession, BackendServerInfo } from './backend.ts'
import type { Caller } from './calls/caller.ts'
import { capabilitiesOf, type ContextCaller, instructionsOf } from './capabilities.ts'
import type { Definition } from './definition.ts'
import { indexOf } from './feature-index.ts'
import { cacheHints } from './lists/lists.ts'

/** The result of `initialize`: the client, the revision, and the capabilities declared to the client. */
export interface Negotiated {
  readonly client: Caller['client']
  readonly codec: Codec
  readonly declared: ServerCapabilities
  /** Where a proxy sends its requests. */
  readonly backend?: BackendSession | undefined
}

/** The client's description of itself. */
export interface ClientDescription {
  readonly clientInfo?: Implementation | undefined
  readonly capabilities: ClientCapabilities
}

/** The negotiated values, and the response to `initialize`. */
export interface InitializeResponse extends Negotiated {
  readonly clientDescription: ClientDescription
  /** Bytes of memory that the session needs for it. */
  readonly bytes: number
  /** The response to `initialize` as JSON text. */
  readonly response: string
}

/** The client, the revisions of the server, and the size of what a client may say about itself. */
export interface InitializeOptions {
  readonly revisions: readonly string[]
  readonly caller?: ContextCaller | undefined
  readonly clientBytes: number
}

/**
 * Handles `initialize`: opens the backend of a proxy, if there is one, settles the revision, and passes the answer to `open`,
 * which creates the session and responds. Closes the backend if that fails. Throws or rejects with `RpcError`.
 */
export function initialize(
  definition: Definition,
  request: Request,
  options: InitializeOptions,
  open: (answer: InitializeResponse) => MaybePromise<void>,
): MaybePromise<void> {
  const answer = (serverInfo?: BackendServerInfo): MaybePromise<void> => {
    const onFailure = (error: unknown): never => {
      serverInfo?.session.close()
      throw error
    }
    try {
      const opened = open(negotiate(definition, request, options, serverInfo))
      return isPromise(opened) ? opened.catch(onFailure) : opened
    } catch (error) {
      return onFailure(error)
    }
  }
  const opening = openBackend(definition, request, options)
  return opening === undefined ? answer() : opening.then(answer)
}

function negotiate(
  definition: Definition,
  { id, params }: Request,
  { revisions, caller, clientBytes }: InitializeOptions,
  serverInfo: BackendServerInfo | undefined,
): InitializeResponse {
  const { protocolVersion, ...clientDescription } = readInitialize(params)
  const json = JSON.stringify(clientDescription)
  requireShort(json, clientBytes)
  const codec = codecOf(negotiateVersion(protocolVersion, revisions))
  const declared = serverInfo?.capabilities ?? capabilitiesOf(definition, caller)
  const result = serverInfo
    ? encodeInitialize(codec, declared, serverInfo.info, serverInfo.instructions)
    : resultFor(definition, codec, declared)
  return {
    clientDescription,
    client: clientOf(clientDescription, codec),
    bytes: jsonWeight(json),
    codec,
    declared,
    ...(serverInfo && { backend: serverInfo.session }),
    response: resultText(id, result),
  }
}

/** Opens the session with the server behind a proxy; undefined for any other server. Rejects with `RpcError`. */
function openBackend(
  { backend }: Definition,
  { params }: Request,
  { revisions, caller }: Pick<InitializeOptions, 'revisions' | 'caller'>,
): Promise<BackendServerInfo> | undefined {
  if (backend === undefined) return undefined
  const { protocolVersion, ...clientDescription } = readInitialize(params)
  const codec = codecOf(negotiateVersion(protocolVersion, revisions))
  return backend.open({ clientDescription, codec, auth: caller?.auth })
}

/** Leaves out other members, which may be long. Throws `invalid_params`. */
function readInitialize(params: Request['params']): ClientDescription & {
  readonly protocolVersion: string
} {
  const problem = initializeParams(params)
  if (problem) throw new RpcError('invalid_params', `initialize: ${describeProblem(problem)}`)
  const { protocolVersion, clientInfo, capabilities } = params as unknown as InitializeRequestParams // just checked
  return { protocolVersion, clientInfo, capabilities }
}

/** The client as calls see it. What its revision lacks cannot be asked for, whatever the client says it could do. */
export function clientOf(
  { clientInfo, capabilities }: ClientDescription,
  codec: Codec,
): Caller['client'] {
  const usable = usableIn(codec, capabilities)
  return clientInfo ? { info: clientInfo, capabilities: usable } : { capabilities: usable }
}

function usableIn({ has }: Codec, capabilities: ClientCapabilities): ClientCapabilities {
  const missing = has.elicitation === 'none' ? ['elicitation', 'tasks'] : ['tasks']
  return has.tasks === 'core' ? capabilities : omit(capabilities, missing)
}

/** Throws if the client says more than the session may keep. */
function requireShort({ length: seen }: string, allowed: number): void {
  if (seen <= allowed) return
  const why = `initialize: clientInfo and capabilities are ${seen} characters of JSON; limits.clientBytes allows ${allowed}`
  throw new RpcError('limit_exceeded', why, { data: { limit: 'clientBytes', allowed, seen } })
}

/** Cached, because the result is the same for all clients unless an extension adds capabilities for this one. */
function resultFor(definition: Definition, codec: Codec, declared: ServerCapabilities): string {
  const index = indexOf(definition)
  const encoded = (): string =>
    encodeInitialize(codec, declared, definition.info, instructionsOf(definition))
  if (declared !== index.declared) return encoded()
  const existing = index.initializeResults.get(codec)
  if (existing !== undefined) return existing
  const json = encoded()
  index.initializeResults.set(codec, json)
  return json
}

function encodeInitialize(
  codec: Codec,
  capabilities: ServerCapabilities,
  serverInfo: Implementation,
  instructions: string | undefined,
): string {
  const result = codec.encodeResult('initialize', {
    protocolVersion: codec.revision,
    capabilities,
    serverInfo,
    ...(instructions !== undefined && { instructions }),
  })
  return JSON.stringify(result)
}

/** The requested version if the server supports it, else the newest that it supports. */
function negotiateVersion(requested: string, allowed: readonly string[]): Revision {
  const isSupported = allowed.includes(requested) && featuresOf(requested) !== undefined
  const revision = isSupported ? (requested as Revision) : newestRevision('legacy', allowed) // just looked up
  if (revision !== undefined) return revision
  throw new RpcError('unsupported_version', `no version in common; asked for ${requested}`, {
    data: { supported: allowed, requested },
  })
}

/** Returns this server's revisions and features for any caller; a copy, since in process nothing else makes one. */
export function discover(definition: Definition, { supported, declared }: Caller): DiscoverResult {
  const answer = {
    supportedVersions: supported,
    capabilities: declared,
    instructions: instructionsOf(definition),
    ...cacheHints(definition.settings.cache),
  }
  return JSON.parse(JSON.stringify(answer)) as DiscoverResult // as it was written
}
