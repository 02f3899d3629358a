import type { JsonObject } from '@parley/mcp'
import type { BackendOutcome, BackendCall } from '@parley/mcp/internal/relay'

/** Sees every request of clients on its way. There is one only while somebody looks, so that nobody pays for it else. */
export interface GatewayObserver {
  /** A client has sent a request. */
  began(call: BackendCall): void
  /** It goes to a server, with these params. */
  sent(call: BackendCall, upstream: string, params: JsonObject): void
  /** The server has answered, or could not. */
  returned(call: BackendCall, upstream: string, outcome: Outcome): void
  /** The client gets this. */
  ended(call: BackendCall, outcome: Outcome): void
}

/** How a request ended on one of its ways. */
export type Outcome =
  | { readonly kind: 'answer'; readonly answer: BackendOutcome }
  | { readonly kind: 'failed'; readonly error: unknown }

/** Answers a request while somebody looks. */
export async function observe(
  observer: GatewayObserver,
  call: BackendCall,
  work: () => BackendOutcome | Promise<BackendOutcome>,
): Promise<BackendOutcome> {
  observer.began(call)
  try {
    const answer = await work()
    observer.ended(call, { kind: 'answer', answer })
    return answer
  } catch (error) {
    observer.ended(call, { kind: 'failed', error })
    throw error
  }
}
