import { BoundedMap } from '../../rpc/bounded-map.ts'
import type { Clock } from '../../rpc/clock.ts'
import { isMcpError, McpError } from '../../rpc/errors/mcp-error.ts'
import { isRpcError, type RpcError } from '../../rpc/errors/rpc-error.ts'
import type { Notification } from '../../rpc/message.ts'
import { anySignal, sleep } from '../../rpc/signals.ts'
import { elicitationCompleteParams } from '../../schema/input/elicitation.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { RunningCall } from '../calls/running-call.ts'
import { keepProcessAlive } from '../connection/hold-process.ts'
import type { CallOptions } from '../options.ts'
import type { ServerRequests } from './server-requests.ts'

/** Links of one client: which were offered to the user, which have been dealt with, and calls that wait for that. */
export interface PendingUrlElicitations {
  /** A link is about to be offered. */
  offer(elicitationId: string): void
  /** Handles the server's notification about a link. Unknown links, repetitions and other notifications are ignored. */
  onNotification(notification: Notification): void
  /** Sends; if links have to be opened first and the caller wants them to, offers them, waits, and sends once more. */
  around<T>(call: RunningCall, options: CallOptions, send: () => Promise<T>): Promise<T>
}

export interface PendingUrlElicitationsContext {
  readonly ask: (...asked: Parameters<ServerRequests['answer']>) => Promise<JsonObject>
  readonly onComplete: ((elicitationId: string) => void) | undefined
  readonly inputMs: number
  readonly clock: Clock
  /** Aborts when the client is closed. */
  readonly closed: AbortSignal
}

/** Beyond this the oldest are forgotten: what the server says about them is ignored. */
const maxRemembered = 1_000

export function createPendingUrlElicitations({
  ask,
  onComplete,
  inputMs,
  clock,
  closed,
}: PendingUrlElicitationsContext): PendingUrlElicitations {
  const elicitations = new BoundedMap<string, { isDone: boolean }>(maxRemembered)
  const waiting = new Set<() => void>()

  function offer(id: string): void {
    if (!elicitations.has(id)) elicitations.set(id, { isDone: false })
  }

  /** Undefined unless the user agreed to open every one. */
  async function offerAll(
    { data }: RpcError<'url_elicitation_required'>,
    call: RunningCall,
    signal: AbortSignal,
  ): Promise<readonly string[] | undefined> {
    const pendingUrls = listed(data)
    for (const link of pendingUrls) {
      const { action } = await ask('elicitation/create', link, { ...call, signal })
      if (action !== 'accept') return undefined
    }
    return pendingUrls.length === 0
      ? undefined
      : pendingUrls.map((link) => link['elicitationId'] as string) // checked when it was asked
  }

  async function dealtWith(
    ids: readonly string[],
    signal: AbortSignal,
    until: Promise<unknown> | undefined,
  ): Promise<void> {
    const over = new AbortController()
    const late = sleep(inputMs, { clock, signal: anySignal(over.signal, signal) }).then(() => {
      throw tookTooLong(inputMs)
    })
    let poll = (): void => {}
    const all = new Promise<void>((resolve) => {
      poll = () => {
        if (ids.every((id) => elicitations.get(id)?.isDone)) resolve()
      }
    })
    waiting.add(poll)
    poll()
    try {
      await Promise.race([all, late, ...(until ? [until] : [])])
    } finally {
      over.abort()
      waiting.delete(poll)
    }
  }

  async function openFirst(
    error: RpcError<'url_elicitation_required'>,
    call: RunningCall,
    { signal: own, retryAfterUrl }: CallOptions,
  ): Promise<void> {
    const signal = anySignal(closed, own)
    const ids = await offerAll(error, call, signal).catch((failure: unknown) => {
      throw isMcpError(failure, 'input_unavailable') ? error : failure
    })
    if (ids === undefined) throw error
    const until = typeof retryAfterUrl === 'object' ? retryAfterUrl.until : undefined
    await keepProcessAlive(dealtWith(ids, signal, until))
  }

  return {
    offer,
    onNotification({ method, params }) {
      if (method !== 'notifications/elicitation/complete') return
      if (elicitationCompleteParams(params) !== undefined) return
      const id = params['elicitationId'] as string // just checked
      const link = elicitations.get(id)
      if (link === undefined || link.isDone) return
      link.isDone = true
      for (const poll of waiting) poll()
      onComplete?.(id)
    },
    around(call, options, send) {
      if (!options.retryAfterUrl) return send()
      return send().catch(async (error: unknown) => {
        if (!isRpcError(error, 'url_elicitation_required')) throw error
        await openFirst(error, call, options)
        return send()
      })
    },
  }
}

/** The elicitations as the server sent them. Each is checked when it is shown. */
function listed(data: unknown): readonly JsonObject[] {
  const { elicitations } = (data ?? {}) as { readonly elicitations?: unknown } // read, not trusted
  return Array.isArray(elicitations) ? elicitations : []
}

function tookTooLong(ms: number): McpError {
  const why = `the server did not say within ${ms} ms that the links it named have been dealt with`
  return new McpError('timeout', why, { details: { limit: 'input', ms } })
}
