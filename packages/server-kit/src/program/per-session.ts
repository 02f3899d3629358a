import { BoundedMap } from '@parley/mcp/internal'
import type { IncomingRequest } from '@parley/mcp/server'

/** What of a request says whose it is. */
export type SessionRequest = Pick<IncomingRequest, 'client' | 'revision' | 'auth'>

/** How states are told apart and how many are kept. */
export interface PerSessionOptions<State, Request extends SessionRequest> {
  /** Makes the state of a new session. */
  readonly create: () => State
  /**
   * Where the protocol has no sessions: names one of several states of a caller.
   * @defaultValue one state for each caller
   */
  readonly handleOf?: ((request: Request) => string | undefined) | undefined
  /** Where the protocol has no sessions: the state used longest ago makes room. @defaultValue 100 */
  readonly maxCallers?: number | undefined
}

/**
 * A state for each session, gone with it. From 2026-07-28 on every request stands for itself, so there it is one for
 * each verified caller; callers whom nobody verified cannot be told apart and share one.
 */
export function createPerSession<State, Request extends SessionRequest = SessionRequest>(
  options: PerSessionOptions<State, Request>,
): (request: Request) => State {
  const { create, handleOf = () => undefined, maxCallers = 100 } = options
  // `client` is one object for all requests of a session, and nobody else holds it afterwards: the entry goes with it.
  const sessions = new WeakMap<IncomingRequest['client'], State>()
  const callers = new BoundedMap<string, State>(maxCallers)

  function ofCaller(name: string): State {
    const state = callers.get(name) ?? create()
    callers.set(name, state)
    return state
  }

  return (request) => {
    const { client, revision, auth } = request
    if (revision >= '2026-07-28') {
      return ofCaller(JSON.stringify([auth?.issuer, auth?.subject, handleOf(request)]))
    }
    const state = sessions.get(client) ?? create()
    sessions.set(client, state)
    return state
  }
}
