import { accountOf, principalOf } from '../../rpc/auth-info.ts'
import { epochMs } from '../../rpc/time/epoch.ts'
import { isTerminal, type TaskStatus } from '../../schema/tasks.ts'
import type { Call } from '../calls/call.ts'
import { isHarmlessAgain } from '../calls/repeatable.ts'
import type { TaskTool } from '../tools/tools.ts'
import { fitResult } from './kept-results.ts'
import { isRunBy } from './task-access.ts'
import type { TaskHost } from './task-host.ts'
import type { TaskNotifications } from './task-notifications.ts'
import type { TaskPlace } from './task-quota.ts'
import type { TaskEvent } from './task-state.ts'
import type { TaskAnswers, TaskRecord } from './task-store.ts'
import { untilStored } from './until-stored.ts'

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
  readonly host: TaskHost
  /** The request that started it. */
  readonly call: Call
  readonly taskId: string
  readonly tool: TaskTool
  readonly keepMs: number
  readonly place: TaskPlace
  readonly notifications: TaskNotifications
  /** Input requests were answered. */
  readonly onAnswers: (answers: TaskAnswers) => void
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
const longestRenewMs = 600_000

export function createTaskLifecycle(options: TaskLifecycleOptions): TaskLifecycle {
  const { host, call, taskId, tool, keepMs, notifications, restarted, starts } = options
  const { caller, operation } = call
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
      ...(isHarmlessAgain(annotations) && { isRetryable: true }),
      ...(restartable && { restart: { params, starts } }),
    }
  }

  async function change(event: TaskEvent): Promise<void> {
    try {
      await creating
      look(await write(event))
    } catch (error) {
      report(error)
    }
  }

  function write(event: TaskEvent): Promise<TaskRecord | undefined> {
    return host.access.change(principal, taskId, event, clock, { owner: host.owner, starts })
  }

  /** Handles changes by others: answers, or an end. */
  function look(record: TaskRecord | undefined): void {
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
    if (!isOver) host.store.get(principal, taskId).then(look, onFailure)
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
    return Math.min(longestRenewMs, Math.max(renewMs, keepMs / 4))
  }

  async function close(event: TaskEvent): Promise<void> {
    const { end, bytes } = fitResult(event, host.kept.maxBytes, caller.codec)
    const record = await untilStored(() => write(end), keepMs, clock, report)
    look(record)
    isOver = true
    watch?.[Symbol.dispose]()
    renewal?.[Symbol.dispose]()
    if (record && !isTerminal(record)) return options.place.leave() // others run it
    const forget = forgetting(options, principal)
    host.kept.keep(accountOf(caller.auth), { bytes, keepMs, clock, forget })
  }

  function report(error: unknown): void {
    caller.onError(error, { severity: 'error', operation })
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
  { host, taskId, place, call }: TaskLifecycleOptions,
  principal: string,
): () => void {
  const { store } = host
  const { operation } = call
  const { onError } = call.caller
  return () => {
    place.leave()
    store.remove(principal, taskId).catch((error: unknown) => {
      onError(error, { severity: 'error', operation })
    })
  }
}
