import type { AuthInfo } from '../../../rpc/auth-info.ts'
import { BoundedMap } from '../../../rpc/bounded-map.ts'
import { RpcError } from '../../../rpc/errors/rpc-error.ts'
import type { JsonObject } from '../../../schema/json.ts'
import { createKeyRing } from '../../../server/input/key-ring.ts'
import { HttpError } from '../admission/http-errors.ts'
import type { RequestCaller } from '../admitted-request.ts'
import type { EndpointService } from '../endpoint-service.ts'
import { randomId } from '../sessions/random-id.ts'
import type { Cluster } from './cluster.ts'
import type { ClusterMail, PostOutcome, WrittenAuth, Forward } from './messages.ts'
import { sessionNotFound } from './records.ts'

/** A message that a client of HTTP+SSE posted, for the process that has its stream. */
export interface SsePost {
  /** The id of the connection. */
  readonly id: string
  readonly text: string
  /** The verified identity of its sender. No credential is forwarded. */
  readonly auth?: AuthInfo | undefined
}

/** Posts of HTTP+SSE that arrive at one process and are for a stream of another. */
export interface SsePosts {
  /** False if no other process can have a stream. */
  readonly canForward: boolean
  /** Names a connection of this process. Only its principal can use the name, at any process. */
  nameFor(principal: string): Promise<string>
  /** Hands a post to the process that has the stream, and waits until that has taken it. Rejects with `HttpError`. */
  forward(post: SsePost, caller: RequestCaller): Promise<void>
}

/** How many heartbeats the other process may take: after as many it counts as lost. */
const maxHeartbeats = 3
/** Posts that were taken are remembered, because a message may come twice. */
const maxRemembered = 1_000

/** Handles a post for a stream of this process. */
export type TakePost = (post: SsePost) => Promise<PostOutcome>

interface SsePostsContext {
  readonly service: Pick<EndpointService, 'clock' | 'definition' | 'onError'>
  readonly cluster: Pick<Cluster, 'secrets' | 'heartbeatMs'>
  readonly messages: ClusterMail
  readonly forward: Forward
}

export function createSsePosts(
  { service, cluster, messages, forward }: SsePostsContext,
  take: TakePost,
): SsePosts {
  const { clock, definition, onError } = service
  const { secrets, heartbeatMs } = cluster
  const names = createKeyRing(secrets, 'HTTP+SSE session')
  const boundTo = (principal: string): string => JSON.stringify([definition.info.name, principal])
  const waiting = new Map<string, (outcome: PostOutcome | undefined) => void>()
  const outcomes = new BoundedMap<string, Promise<PostOutcome>>(maxRemembered)

  messages.on('sse-posted', ({ post, from, id, text, auth }) => {
    const outcome = outcomes.get(post) ?? take({ id, text, auth: auth && readAuth(auth) })
    remember(post, outcome)
    void answer(post, from, outcome)
  })
  messages.on('sse-taken', ({ post, outcome }) => waiting.get(post)?.(outcome))

  async function answer(post: string, to: string, taking: Promise<PostOutcome>): Promise<void> {
    try {
      await messages.send('sse-taken', { post, outcome: await taking }, to)
    } catch (error) {
      onError(error, { severity: 'warning', operation: 'store' }) // who waits gives up in time
    }
  }

  function remember(post: string, outcome: Promise<PostOutcome>): void {
    outcomes.set(post, outcome)
  }

  /** Undefined if the other process says nothing. */
  function outcomeOf(post: string): Promise<PostOutcome | undefined> {
    return new Promise((resolve) => {
      const resolveOutcome = (outcome?: PostOutcome): void => {
        late[Symbol.dispose]()
        waiting.delete(post)
        resolve(outcome)
      }
      const late = clock.setTimer(resolveOutcome, maxHeartbeats * heartbeatMs)
      waiting.set(post, resolveOutcome)
    })
  }

  return {
    canForward: true,
    nameFor: (principal) => names.encrypt(`${messages.node} ${randomId()}`, boundTo(principal)),

    async forward({ id, text, auth }, { principal, quotaKey }) {
      const [node] = (await names.open(id, boundTo(principal)))?.split(' ') ?? []
      if (node === undefined || node === messages.node) throw sessionNotFound()
      const post = randomId()
      const about = auth && { auth: writeAuth(auth) }
      const outcome = outcomeOf(post)
      try {
        await forward(
          quotaKey,
          'sse-posted',
          { post, from: messages.node, id, text, ...about },
          node,
        )
      } catch (error) {
        waiting.get(post)?.(undefined)
        throw error
      }
      rejectUnlessTaken(await outcome)
    },
  }
}

function rejectUnlessTaken(outcome: PostOutcome | undefined): void {
  switch (outcome) {
    case 'taken':
      return
    case 'unknown':
      throw sessionNotFound()
    case 'full':
      throw overloaded('the stream of this session has too much to read already')
    case undefined:
      throw overloaded('the process that has the stream of this session does not answer')
  }
}

function overloaded(why: string): HttpError {
  const error = new RpcError('overloaded', why, { data: { retryAfterMs: 1_000 } })
  return new HttpError(503, error, { 'retry-after': '1' })
}

function writeAuth(auth: AuthInfo): WrittenAuth {
  const expiresAt = Math.min(auth.expiresAt, Number.MAX_SAFE_INTEGER) // JSON has no infinity
  const claims = auth.claims as JsonObject // what is not JSON in them stays here
  return { ...auth, expiresAt, claims, scopes: [...auth.scopes] }
}

function readAuth(written: WrittenAuth): AuthInfo {
  return { ...written, scopes: new Set(written.scopes) }
}
