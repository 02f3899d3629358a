import type { Clock } from '../../rpc/clock.ts'
import { createDeprecations } from '../../rpc/deprecation.ts'
import type { OnError } from '../../rpc/errors/on-error.ts'
import type { RequestCodec } from '../../wire/request-codec.ts'
import type { RunningCall } from '../calls/running-call.ts'
import type { ClientSession } from '../connection/session.ts'
import { defaultTimeouts, type ConnectOptions } from '../options.ts'
import { capabilitiesFor, type InputHandlers } from './input-handlers.ts'
import {
  createPendingUrlElicitations,
  type PendingUrlElicitations,
} from './pending-url-elicitations.ts'
import { createServerRequests, type ServerRequests } from './server-requests.ts'

export { followResult } from './input-required.ts'
export { requireRoots, toRoots } from './roots.ts'
export { respondForExtension } from './answer-for-extension.ts'

/** Everything that answers input requests of the server. `lazy-parts.ts` says when it is loaded. */
export interface ClientInput {
  /** Answers what the server asks, one connection long. */
  open(negotiated: () => RequestCodec | undefined): ServerRequests
  readonly pendingUrls: PendingUrlElicitations
}

export interface ClientInputContext {
  readonly handlers: () => InputHandlers
  /** The last session there was. */
  readonly latest: () => ClientSession | undefined
  /** The call in progress. */
  readonly current: () => RunningCall | undefined
  readonly options: ConnectOptions
  readonly clock: Clock
  /** Aborts when the client is closed. */
  readonly closed: AbortSignal
  readonly onError: OnError
}

/** Creates the part of a client that answers input requests, on all its connections. */
export function createClientInput(parts: ClientInputContext): ClientInput {
  const { handlers, latest, options, clock, closed, onError } = parts
  const own = capabilitiesFor(options)
  const taking = (options.extensions ?? []).map((each) => each['~client']?.inputRequests?.(own))
  const deprecated = createDeprecations(options.onDeprecated)
  const inputMs = options.timeouts?.inputMs ?? defaultTimeouts.inputMs
  const pendingUrls = createPendingUrlElicitations({
    ask(method, params, about) {
      const server = latest()?.server.info
      return detached.answer(method, params, { ...about, ...(server && { server }) })
    },
    onComplete: (id) => options.onElicitationComplete?.(id),
    inputMs,
    clock,
    closed,
  })
  /** Answers what comes in an error, and so belongs to no connection. */
  const detached = open(() => latest()?.codec)

  function open(negotiated: () => RequestCodec | undefined): ServerRequests {
    return createServerRequests({
      taking: taking.find((each) => each !== undefined),
      codec: negotiated,
      handlers,
      about: () => ({ server: latest()?.server.info, ...parts.current() }),
      onLink: pendingUrls.offer,
      deprecated,
      inputMs,
      clock,
      compileSchema: options.validation?.compileSchema,
      onError,
    })
  }

  return { open, pendingUrls }
}
