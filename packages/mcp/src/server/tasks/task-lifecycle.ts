/**
 * The record of one task from its creation until it is forgotten, in the process that runs it: writes its changes, renews its lease, and
 * stores its result within a limit of bytes.
 *
 * Knows the store and the clock, not the tool: `task-run.ts` runs the work, `task-state.ts` decides which change is allowed, `task-
 * takeover.ts` continues tasks of other processes. One lifecycle per running task; `serverTasks()` shares the stored results.
 */

import { quotaKeyOf, principalOf } from '../../rpc/auth-info.ts'
import { epochMs, type Clock } from '../../rpc/clock.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { isTerminal, type TaskStatus } from '../../schema/tasks.ts'
import type { Codec } from '../../wire/codec.ts'
import type { Call } from '../calls/call.ts'
import { isIdempotent } from '../calls/safe-to-retry.ts'
import type { TaskTool } from '../tools/tools.ts'
import type { TaskService, TaskSlot } from './server-tasks.ts'
import { isRunBy } from './task-access.ts'
import type { TaskNotifications } from './task-notifications.ts'
import type { TaskEvent } from './task-state.ts'
import type { TaskInputResponses, TaskRecord } from './task-store.ts'

/** The record of one task from its creation until it is forgotten, in the process that runs it. */
export interface TaskLifecycle {
  readonly hasStarted: boolean
  readonly isOver: boolean
  /** Creates the record, once; resolves when it is in the store. */
  start(): Promise<TaskRecord>
  /** Never rejects: a failure of the store is reported, and the work continues. */
  change(event: TaskEvent): Promise<void>
  /** The last change; later ones do nothing. */
  end(event: TaskEvent): Promise<void>
}

export interface TaskLifecycleOptions {
  readonly host: TaskService
  /** The request that started it. */
  readonly call: Call
  readonly taskId: string
  readonly tool: TaskTool
  readonly keepMs: number
  readonly position: TaskSlot
  readonly notifications: TaskNotifications
  /** Input requests were answered. */
  readonly onAnswers: (answers: TaskInputResponses) => void
  /** Another process ended it, or runs it now; undefined if it is gone. */
  readonly onEnded: (status: TaskStatus | undefined) => void
  /** The record of a task that is started again here. */
  readonly restarted?: TaskRecord | undefined
  /** How often it has been started, this time included. */
  readonly starts: number
}

/** How often a lease is renewed. */
const renewMs = 10_000
/** A record without a lease is written so often at least: stores forget what is not. */
const maxRenewMs = 600_000

export function createTaskLifecycle(options: TaskLifecycleOptions): TaskLifecycle {
  const { host, call, taskId, tool, keepMs, notifications, restarted, starts } = options
  const { caller, method } = call
  const { clock } = caller
  const principal = principalOf(caller.auth)
  let creating: Promise<TaskRecord> | undefined
  let ending: Promise<void> | undefined
  let isOver = false
  let watch: Disposable | undefined
  let renewal: Disposable | undefined
  let renewedAt = clock.now()

  async function create(): Promise<TaskRecord> {
    const record = restarted ?? newRecord()
    if (!restarted) await host.store.create(record)
    watch = host.store.watch(principal, taskId, wake)
    renewLater()
    return record
  }

  function newRecord(): TaskRecord {
    const createdAt = new Date(epochMs(clock)).toISOString()
    const { restartable, annotations } = tool.config
    const { task: _, ...params } = call.params
    return {
      taskId,
      status: 'working',
      createdAt,
      lastUpdatedAt: createdAt,
      ttlMs: keepMs,
      pollIntervalMs: host.pollIntervalMs,
      principal,
      version: 1,
      tool: tool.name,
      keepMs,
      lease: host.lease(clock),
      ...(isIdempotent(annotations) && { isRetryable: true }),
      ...(restartable && { restart: { params, starts } }),
    }
  }

  async function change(event: TaskEvent): Promise<void> {
    try {
      await creating
      poll(await write(event))
    } catch (error) {
      report(error)
    }
  }

  function write(event: TaskEvent): Promise<TaskRecord | undefined> {
    return host.access.change(principal, taskId, event, clock, { owner: host.owner, starts })
  }

  /** Handles changes by others: answers, or an end. */
  function poll(record: TaskRecord | undefined): void {
    if (isOver) return
    const isOurs = record && isRunHere(record)
    if (record && (isOurs || isTerminal(record))) notifications.sendStatus(record)
    if (isOurs) options.onAnswers(record.inputResponses ?? {})
    else if (ending === undefined) options.onEnded(record?.status)
  }

  function isRunHere(record: TaskRecord): boolean {
    return isRunBy(record, { owner: host.owner, starts })
  }

  function wake(): void {
    read(report)
  }

  function read(onFailure: (error: unknown) => void): void {
    if (!isOver) host.store.get(principal, taskId).then(poll, onFailure)
  }

  function renewLater(): void {
    renewal = clock.setTimer(() => {
      const isDue = clock.now() - renewedAt >= renewalMs()
      if (isDue) renew()
      else read(() => undefined) // for a hint that was lost; the next look may tell
      renewLater()
    }, host.store.processes?.heartbeatMs ?? renewMs)
  }

  function renew(): void {
    renewedAt = clock.now()
    void change({ type: 'renewed', lease: host.lease(clock) })
  }

  /** Where processes have leases, a task has none: only the time for which it is kept grows. */
  function renewalMs(): number {
    if (host.store.processes === undefined) return 0
    return Math.min(maxRenewMs, Math.max(renewMs, keepMs / 4))
  }

  async function close(event: TaskEvent): Promise<void> {
    const { end, bytes } = fitResult(event, host.stored.maxBytes, caller.codec)
    const record = await untilStored(() => write(end), keepMs, clock, report)
    poll(record)
    isOver = true
    watch?.[Symbol.dispose]()
    renewal?.[Symbol.dispose]()
    if (record && !isTerminal(record)) return options.position.leave() // others run it
    const forget = forgetting(options, principal)
    host.stored.keep(quotaKeyOf(caller.auth), { bytes, keepMs, clock, forget })
  }

  function report(error: unknown): void {
    caller.onError(error, { severity: 'error', operation: method })
  }

  return {
    get hasStarted() {
      return creating !== undefined
    },
    get isOver() {
      return ending !== undefined
    },
    start: () => (creating ??= create()),
    change,
    end: (event) => (ending ??= close(event)),
  }
}

/** A function of its own, so that what is remembered for long does not hold on to the call. */
function forgetting(
  { host, taskId, position, call }: TaskLifecycleOptions,
  principal: string,
): () => void {
  const { store } = host
  const { method } = call
  const { onError } = call.caller
  return () => {
    position.leave()
    store.remove(principal, taskId).catch((error: unknown) => {
      onError(error, { severity: 'error', operation: method })
    })
  }
}

const minRetryMs = 100
const maxRetryMs = 5_000

/** Writes something until the store has it, for as long as somebody might ask for it: undefined after `maxMs`. */
export async function untilStored<Written>(
  write: () => Promise<Written>,
  maxMs: number,
  clock: Clock,
  report: (error: unknown) => void,
): Promise<Written | undefined> {
  const startedAt = clock.now()
  for (let waitMs = minRetryMs; ; waitMs = Math.min(maxRetryMs, waitMs * 2)) {
    try {
      return await write()
    } catch (error) {
      if (waitMs === minRetryMs) report(error)
      if (clock.now() - startedAt > maxMs) return undefined
    }
    await new Promise<void>((resolve) => void clock.setTimer(resolve, waitMs))
  }
}

/** Results of tasks that have ended, kept for a time and, for each account, within a number of bytes. */
export interface StoredResults {
  /** Allowed for one account. */
  readonly maxBytes: number
  /** Forgets it after `keepMs`, or sooner if a later result needs the room: the oldest go first. */
  keep(quotaKey: string, end: StoredResult): void
}

export interface StoredResult {
  /** At most `maxBytes`. */
  readonly bytes: number
  readonly keepMs: number
  readonly clock: Clock
  readonly forget: () => void
}

export function createStoredResults(maxBytes: number): StoredResults {
  /** In the order in which they ended. */
  const quotaKeys = new Map<string, Set<Held>>()

  function freeCapacity(ends: ReadonlySet<Held>, bytes: number): void {
    let excess = bytes - maxBytes
    for (const stored of ends) excess += stored.bytes
    for (const stored of ends) {
      if (excess <= 0) return
      excess -= stored.bytes
      stored.drop()
    }
  }

  return {
    maxBytes,
    keep(quotaKey, { bytes, keepMs, clock, forget }) {
      const ends = quotaKeys.get(quotaKey) ?? new Set()
      freeCapacity(ends, bytes)
      quotaKeys.set(quotaKey, ends)
      const timer = clock.setTimer(() => stored.drop(), keepMs)
      const stored: Held = {
        bytes,
        drop() {
          timer[Symbol.dispose]()
          ends.delete(stored)
          if (ends.size === 0) quotaKeys.delete(quotaKey)
          forget()
        },
      }
      ends.add(stored)
    },
  }
}

interface Held {
  readonly bytes: number
  drop(): void
}

/** The last event of a task and its size; a result too large to be kept becomes a failure that says so. */
function fitResult(
  event: TaskEvent,
  maxBytes: number,
  codec: Codec,
): { readonly end: TaskEvent; readonly bytes: number } {
  const bytes = sizeOf(event)
  return bytes <= maxBytes
    ? { end: event, bytes }
    : { end: tooLarge(bytes, maxBytes, codec), bytes: 0 }
}

function sizeOf(event: TaskEvent): number {
  try {
    return new TextEncoder().encode(JSON.stringify(event)).byteLength
  } catch {
    return 0 // a value without JSON is refused when somebody asks for it
  }
}

function tooLarge(seen: number, allowed: number, codec: Codec): TaskEvent {
  const why = `the result has ${seen} bytes, and ${allowed} are kept for the tasks of one caller`
  const data = { limit: 'maxBytes', allowed, seen }
  const error = codec.encodeError(new RpcError('limit_exceeded', why, { data }))
  return { type: 'failed', error }
}
