import { isMcpError, McpError } from '../../rpc/errors/mcp-error.ts'
import { isRpcError, RpcError } from '../../rpc/errors/rpc-error.ts'
import type { ClientCapabilities } from '../../schema/capabilities.ts'
import { encodeInputRequest as encodeParams } from '../../wire/downgrade-input.ts'
import type { Call } from '../calls/call.ts'
import type { Caller } from '../calls/caller.ts'
import type { AskedTask } from '../context.ts'
import type { InputRequestForm } from './question.ts'
import { rememberLink } from './url-elicitation.ts'

/** True if the call can wait for the answer to an input request. */
export function mayWait({ background, caller }: Call): boolean {
  return caller.codec.has.serverRequests || background?.isDetached === true
}

/** Throws `missing_client_capability` for an input request that the client cannot answer, before anything is sent. */
export function requireCapability({ caller }: Call, { method, requires }: InputRequestForm): void {
  const { codec, client } = caller
  if (codec.inputMethods.has(method) && offers(client.capabilities, requires)) return
  const who = client.info?.name ?? 'this one'
  throw new RpcError(
    'missing_client_capability',
    `this needs a client with ${nameOf(requires)}, which ${who} does not offer in ${codec.revision}${fixFor(caller, method)}`,
    { data: { requiredCapabilities: requires } },
  )
}

/** The option to change, where it is one of ours. */
function fixFor(
  { codec, client, http, sessionId }: Caller,
  method: InputRequestForm['method'],
): string {
  const hasNoSession = codec.has.serverRequests && http !== undefined && sessionId === undefined
  if (hasNoSession) {
    return ": the server was started with sessions: 'off', and in this revision a client is asked in its session"
  }
  if (client.info?.name !== '@parley/mcp') return ''
  const option = {
    'elicitation/create': 'elicit',
    'sampling/createMessage': 'sample',
    'roots/list': 'roots',
  }[method]
  return `: pass \`${option}\` to connect()`
}

/** An elicitation capability that names no mode means forms only. */
function offers(offered: ClientCapabilities, { elicitation, sampling, roots }: Required): boolean {
  if (elicitation) {
    const modes = offered.elicitation
    if (elicitation.url) return modes?.url !== undefined
    return modes !== undefined && (modes.form !== undefined || modes.url === undefined)
  }
  if (sampling?.tools) return offered.sampling?.tools !== undefined
  if (sampling) return offered.sampling !== undefined
  return roots === undefined || offered.roots !== undefined
}

type Required = InputRequestForm['requires']

/** `elicitation.url`, `sampling`. */
function nameOf(requires: Required): string {
  const [kind = '', detail = {}] = Object.entries(requires)[0] ?? []
  return [kind, ...Object.keys(detail as object)].join('.') // capabilities are objects
}

/** Sends an input request and waits for the answer; the timeout of the call is paused meanwhile. */
export async function requestNow<T>(
  call: Call,
  inputRequest: InputRequestForm<T>,
  key?: string,
  task?: AskedTask,
  attempt = 1,
): Promise<T> {
  const { caller, background } = call
  const { method } = inputRequest
  const params = encodeInputRequest(call, inputRequest)
  const limits = { timeoutMs: caller.limits.inputMs, signal: call.signal }
  const sent = call.pauseTimeout(() =>
    background
      ? background.ask(method, params, { ...limits, key })
      : ((task && call.tasks?.ask?.(caller, method, params, limits, task)) ??
        caller.request(method, params, limits)),
  )
  const answer: unknown = await sent.catch((error: unknown) => {
    // A task reports it by its own state.
    if (!background && (isRpcError(error) || isMcpError(error, 'timeout'))) {
      rejectedInputRequests.set(error, `The client did not answer ${method}: ${error.message}`)
    }
    throw error
  })
  const read = await inputRequest.read(answer, caller.codec)
  if (read.problem === undefined) return read.value
  const mayRequestAgain = !caller.codec.has.serverRequests && attempt < caller.limits.rounds
  if (mayRequestAgain) return requestNow(call, inputRequest, key, task, attempt + 1) // as a round would
  const why = `the client's answer to ${method} does not fit: ${read.problem}`
  const details = { excerpt: read.problem }
  const error = new McpError('invalid_message', why, { details, peer: caller.client.info?.name })
  rejectedInputRequests.set(error, why)
  throw error
}

/** Throws `RpcError` for an input request that the caller's revision does not have. */
export function encodeInputRequest(
  { caller }: Call,
  inputRequest: InputRequestForm,
): object | undefined {
  const { method, params } = inputRequest
  if (method !== 'elicitation/create') {
    caller.deprecated?.(method === 'roots/list' ? 'roots' : 'sampling')
  }
  if (params === undefined) return undefined
  const { codec, client } = caller
  const encoded: Sendable = encodeParams(method, params, codec.has)
  if (typeof encoded.elicitationId === 'string') rememberLink(client, encoded.elicitationId)
  return mayHaveContext(caller) ? encoded : withoutContext(encoded)
}

/** The params that are read here; the method tells their full type. */
interface Sendable {
  readonly elicitationId?: unknown
  readonly includeContext?: unknown
}

/** `includeContext` is sent only to clients that declare it; early revisions have no way to declare it. */
function mayHaveContext({ codec, client }: Caller): boolean {
  return !codec.has.samplingTools || client.capabilities.sampling?.context !== undefined
}

function withoutContext(params: Sendable): object {
  const { includeContext, ...rest } = params
  return includeContext === undefined || includeContext === 'none' ? params : rest
}

/**
 * Errors of input requests, and the text that a model may read. They are neither the answer to the call nor an internal
 * error of the server.
 */
export const rejectedInputRequests = new WeakMap<object, string>()
