import { accountOf, type AuthInfo } from '../../rpc/auth-info.ts'
import { systemClock } from '../../rpc/clock.ts'
import type { OnError } from '../../rpc/errors/on-error.ts'
import { resolveServerLimits } from '../../rpc/limits.ts'
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

/** What has to be known of a caller to work for it at another process than the one it called. */
export interface RemoteFacts {
  /** The revision it speaks. */
  readonly revision: string
  /** What it says of itself. */
  readonly client: Caller['client']
  /** Who it is, as the process that it called has verified. */
  readonly auth?: AuthInfo | undefined
  /** Its session, by the name that all processes have for it. */
  readonly sessionId?: string | undefined
  /** Least severe log message that it wants. */
  readonly logLevel?: LoggingLevel | undefined
}

/** How it is reached, by way of the process that it called. */
export interface RemoteChannel {
  /** Sends a notification that belongs to the call. */
  notify(method: string, params: JsonObject): void
  /** Asks the client something. */
  request(
    method: string,
    params: JsonObject | undefined,
    limits: RequestLimits,
  ): Promise<JsonObject>
  /** What request states are sealed with. */
  readonly stateSecrets?: StateSecrets | undefined
  /** Hears what goes wrong for this caller. */
  readonly onError: OnError
}

/** A caller that waits at another process. Undefined for a revision that is not spoken here. */
export function createRemoteCaller(
  { revision, client, auth, sessionId, logLevel }: RemoteFacts,
  { notify, request, stateSecrets, onError }: RemoteChannel,
): Caller | undefined {
  const codec = codecFor(revision)
  if (codec === undefined) return undefined
  const service: CallService = {
    definition: undefined,
    supported: [],
    isLocal: false,
    clock: systemClock,
    limits: resolveServerLimits(),
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
    quotaKey: accountOf(auth),
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
