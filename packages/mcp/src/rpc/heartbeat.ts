import type { JsonObject } from '../schema/json.ts'
import type { Clock } from './clock.ts'
import type { Connection } from './connection.ts'
import { McpError } from './errors/mcp-error.ts'
import type { OnError } from './errors/on-error.ts'
import { isRpcError } from './errors/rpc-error.ts'

/** How often to ask whether the peer still lives. */
export interface HeartbeatOptions {
  /** Time from one pong to the next ping. */
  readonly everyMs: number
  /** How long to wait for an answer. @defaultValue 10_000 */
  readonly timeoutMs?: number | undefined
  /** Unanswered in a row before the connection counts as broken. @defaultValue 2 */
  readonly failures?: number | undefined
}

/** A request that any living peer answers. */
export interface LifeSign {
  readonly method: string
  readonly params?: JsonObject
}

/** Pings the peer, reports each failure, and gives the connection up as lost when there is no answer any more. */
export function keepAlive(
  connection: Connection,
  clock: Clock,
  options: HeartbeatOptions,
  onError: OnError,
  { method, params }: LifeSign = { method: 'ping' },
): Disposable {
  const { peer } = connection

  async function ping(timeoutMs: number): Promise<void> {
    try {
      await connection.request(method, params, { idleMs: timeoutMs, totalMs: timeoutMs })
    } catch (error) {
      if (!isRpcError(error)) throw error // who refuses, lives
    }
  }

  return startHeartbeat(clock, options, ping, (cause, isDead) => {
    onError(cause, { severity: 'warning', operation: method })
    if (!isDead) return
    const why = `${peer ?? 'the peer'} no longer answers`
    connection.fail(new McpError('connection_lost', why, { details: { sent: true }, peer, cause }))
  })
}

/** Pings at an interval; the last failure in a row that is allowed says that the peer is dead, and ends it. */
export function startHeartbeat(
  clock: Clock,
  { everyMs, timeoutMs = 10_000, failures = 2 }: HeartbeatOptions,
  ping: (timeoutMs: number) => Promise<unknown>,
  onFailure: (error: unknown, isDead: boolean) => void,
): Disposable {
  let failed = 0
  let timer: Disposable | undefined = clock.setTimer(beat, everyMs)

  function beat(): void {
    ping(timeoutMs).then(
      () => {
        failed = 0
        schedule()
      },
      (error: unknown) => {
        if (timer === undefined) return
        failed += 1
        onFailure(error, failed >= failures)
        if (failed < failures) schedule()
      },
    )
  }

  function schedule(): void {
    if (timer !== undefined) timer = clock.setTimer(beat, everyMs)
  }

  return {
    [Symbol.dispose]() {
      timer?.[Symbol.dispose]()
      timer = undefined
    },
  }
}
