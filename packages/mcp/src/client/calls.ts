import { McpError, isMcpError } from '../rpc/mcp-error.ts'
import type { ServerCapabilities } from '../schema/capabilities.ts'
import { describeProblem, type Problem } from '../schema/check.ts'
import type { JsonObject } from '../schema/json.ts'
import { capabilityFor } from '../session/method-capability.ts'
import type { Codec } from '../wire/codec.ts'
import type { KeptConnection } from './keep-connected.ts'
import { defaultTimeouts, type CallOptions, type Timeouts } from './options.ts'
import type { ClientSession } from './session.ts'

/** Sends requests of one client: gated, encoded, bounded, and checked when they come back. */
export interface Calls {
  send<T extends object>(
    method: string,
    params: object | undefined,
    options: CallOptions,
    check: (value: unknown) => Problem | undefined,
    isRepeatable: boolean,
  ): Promise<T>
  /** What is in progress, for questions that come meanwhile. */
  readonly current: { readonly operation: string; readonly name?: string } | undefined
}

interface Running {
  readonly operation: string
  readonly name?: string
}

export function createCalls(kept: () => KeptConnection, timeouts: Timeouts | undefined): Calls {
  const running = new Set<Running>()
  const idleMs = timeouts?.idleMs ?? defaultTimeouts.idleMs
  const totalMs = timeouts?.totalMs ?? defaultTimeouts.totalMs

  async function attempt(
    session: ClientSession,
    method: string,
    params: object | undefined,
    options: CallOptions,
  ): Promise<object> {
    const { codec, connection, server } = session
    requireCapability(method, server.capabilities, codec, connection.peer ?? server.info.name)
    const limits = options.timeouts
    const call = describeCall(method, params)
    running.add(call)
    try {
      const result = await connection.request(method, encode(codec, method, params, options), {
        idleMs: limits?.idleMs ?? idleMs,
        totalMs: limits?.totalMs ?? totalMs,
        signal: options.signal,
        onProgress: options.onProgress,
      })
      return codec.decodeResult(method, result)
    } finally {
      running.delete(call)
    }
  }

  return {
    get current() {
      if (running.size !== 1) return undefined
      const [only] = running
      return only
    },

    async send<T extends object>(
      method: string,
      params: object | undefined,
      options: CallOptions,
      check: (value: unknown) => Problem | undefined,
      isRepeatable: boolean,
    ): Promise<T> {
      const wait = {
        ms: Math.min(options.timeouts?.idleMs ?? idleMs, options.timeouts?.totalMs ?? totalMs),
        signal: options.signal,
      }
      const pending = kept().session(wait)
      const session = pending instanceof Promise ? await pending : pending
      let result: object
      try {
        result = await attempt(session, method, params, options)
      } catch (error) {
        result = await repeat(error)
      }
      const problem = check(result)
      if (problem !== undefined) {
        throw unusable(method, problem, session.transport.peer ?? session.server.info.name)
      }
      return result as T // the check just proved it

      /** Once for a broken connection and once for a lost session: the second may only show when the first is mended. */
      async function repeat(reason: unknown): Promise<object> {
        const isForgotten = isMcpError(reason, 'session_lost')
        const error = isForgotten ? reopened(reason) : reason
        if (!isRepeatable && !isUnsent(error)) throw error
        const mayRepeat =
          isForgotten || (isMcpError(error, 'connection_lost') && kept().canReconnect)
        if (!mayRepeat) throw asRetryable(error)
        const next = await kept().session(wait)
        try {
          return await attempt(next, method, params, options)
        } catch (again) {
          if (!isForgotten && isMcpError(again, 'session_lost')) return repeat(again)
          throw again
        }
      }
    },
  }
}

/** The client opens a new session whenever one is lost. */
function reopened(error: McpError): McpError {
  const { message, peer, hint, retryable } = error
  const details = { reopened: true }
  return new McpError('session_lost', message, {
    details,
    peer,
    hint,
    retryable,
    cause: error.cause,
  })
}

function isUnsent(error: unknown): boolean {
  return isMcpError(error, 'connection_lost') && !error.details.sent
}

/** Doing it again cannot do its work twice: whoever called may. */
function asRetryable(error: unknown): unknown {
  if (!isMcpError(error, 'connection_lost') && !isMcpError(error, 'timeout')) return error
  const { code, message, details, peer, hint } = error
  return new McpError(code, message, { details, peer, hint, retryable: true, cause: error.cause })
}

function encode(
  codec: Codec,
  method: string,
  params: object | undefined,
  { _meta }: CallOptions,
): JsonObject | undefined {
  if (params === undefined && _meta === undefined) return undefined
  const full = _meta === undefined ? (params ?? {}) : { ...params, _meta }
  return codec.encodeParams(method, full) as JsonObject // messages are JSON
}

function describeCall(method: string, params: object | undefined): Running {
  const { name, uri } = (params ?? {}) as { readonly name?: unknown; readonly uri?: unknown } // read, not trusted
  const label = name ?? uri
  return typeof label === 'string' ? { operation: method, name: label } : { operation: method }
}

/** What the server did not declare is not asked of it. */
function requireCapability(
  method: string,
  offered: ServerCapabilities,
  { has }: Codec,
  peer: string | undefined,
): void {
  const capability = capabilityFor(method)
  if (capability === undefined || offered[capability] !== undefined) return
  const isImplied = capability === 'completions' && !has.completionsCapability
  if (isImplied && (offered.prompts ?? offered.resources) !== undefined) return
  throw new McpError(
    'unsupported',
    `${method}: ${peer ?? 'the server'} does not offer ${capability}`,
    {
      details: { capability },
      peer,
    },
  )
}

function unusable(method: string, problem: Problem, peer: string | undefined): McpError {
  const why = describeProblem(problem)
  return new McpError('invalid_message', `the answer to ${method} is not usable: ${why}`, {
    details: { excerpt: why },
    peer,
  })
}
