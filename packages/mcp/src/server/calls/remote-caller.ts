import { quotaKeyOf, type AuthInfo } from '../../rpc/auth-info.ts'
import { systemClock } from '../../rpc/clock.ts'
import type { OnError } from '../../rpc/errors/on-error.ts'
import { resolveServerLimits, type Limits } from '../../rpc/limits.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { LoggingLevel } from '../../schema/logging.ts'
import { codecFor } from '../../wire/revisions.ts'
import type { StateSecrets } from '../input/request-state.ts'
import {
  Caller,
  type CallerChannel,
  type CallService,
  type ClientState,
  type RequestLimits,
} from './caller.ts'

/** A caller whose request another process received. */
export interface RemoteRequest {
  /** The revision of the request. */
  readonly revision: string
  /** Name, version and capabilities, as the client describes itself. */
  readonly client: Caller['client']
  /** The identity that the other process has verified. */
  readonly auth?: AuthInfo | undefined
  /** The key of its session, which all processes know. */
  readonly sessionId?: string | undefined
  /** Least severe log message to send. */
  readonly logLevel?: LoggingLevel | undefined
}

/** How messages reach the caller, by way of the process that received its request. */
export interface RemoteChannel {
  /** Sends a notification that belongs to the call. */
  notify(method: string, params: JsonObject): void
  /** Sends a request to the client. */
  request(
    method: string,
    params: JsonObject | undefined,
    limits: RequestLimits,
  ): Promise<JsonObject>
  /** Secrets that encrypt request states. */
  readonly stateSecrets?: StateSecrets | undefined
  /** The limits of the service that works for the caller. @defaultValue those of a service without the option */
  readonly limits?: Limits | undefined
  /** Called with errors that no response reports. */
  readonly onError: OnError
}

/** Creates the caller of a forwarded request. Undefined for a revision that is not supported here. */
export function createRemoteCaller(
  { revision, client, auth, sessionId, logLevel }: RemoteRequest,
  { notify, request, stateSecrets, limits, onError }: RemoteChannel,
): Caller | undefined {
  const codec = codecFor(revision)
  if (codec === undefined) return undefined
  const service: CallService = {
    definition: undefined,
    supported: [],
    isLocal: false,
    clock: systemClock,
    limits: resolveServerLimits(limits),
    onError,
    stateSecrets,
    keepTime: () => undefined, // the process that was called does
  }
  const state: ClientState = {
    codec,
    client,
    declared: {},
    isReady: true,
    logLevel,
    subscriptions: new Set(),
    sessionId,
    quotaKey: quotaKeyOf(auth),
  }
  const channel: CallerChannel = {
    notify: (method, params = {}) => notify(method, params),
    drained: () => undefined,
    request: (method, params, { idleMs, signal = never, onProgress }) =>
      request(method, params, { timeoutMs: idleMs, signal, onProgress }),
  }
  return new Caller(service, state, channel, { auth })
}

const never = new AbortController().signal
