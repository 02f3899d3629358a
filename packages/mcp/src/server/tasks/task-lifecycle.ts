import { accountOf, principalOf } from '../../rpc/auth-info.ts'
import { epochMs } from '../../rpc/time/epoch.ts'
import type { Progress } from '../../schema/progress.ts'
import { isTerminal, type TaskStatus } from '../../schema/tasks.ts'
import type { Call } from '../calls/call.ts'
import { fitResult } from './kept-results.ts'
import type { TaskHost } from './task-host.ts'
import type { TaskNotifications } from './task-notifications.ts'
import type { TaskPlace } from './task-quota.ts'
import type { TaskEvent } from './task-state.ts'
import type { TaskAnswers, TaskRecord } from './task-store.ts'
import { longestMessage } from './task-view.ts'

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
  readonly tool: string
  readonly keepMs: number
  readonly place: TaskPlace
  readonly notifications: TaskNotifications
  /** Input requests were answered. */
  readonly onAnswers: (answers: TaskAnswers) => void
  /** Another process ended it; undefined if it is gone. */
  readonly onEnded: (status: TaskStatus | undefined) => void
}

/** How long a process counts as alive after it last renewed a lease. */
const leaseMs = 30_000
const renewMs = 10_000

export function createTaskLifecycle(options: TaskLifecycleOptions): TaskLifecycle {
  const { host, call, taskId, keepMs, notifications } = options
  const { caller, operation } = call
  const { clock } = caller
  const principal = principalOf(caller.auth)
  let creating: Promise<TaskRecord> | undefined
  let ending: Promise<void> | undefined
  let isOver = false
  let watch: Disposable | undefined
  let renewal: Disposable | undefined

  async function create(): Promise<TaskRecord> {
    const createdAt = new Date(epochMs(clock)).toISOString()
    const record: TaskRecord = {
      taskId,
      status: 'working',
      createdAt,
      lastUpdatedAt: createdAt,
      ttlMs: keepMs,
      pollIntervalMs: host.pollIntervalMs,
      principal,
      version: 1,
      tool: options.tool,
      keepMs,
      lease: lease(),
    }
    await host.store.create(record)
    watch = host.store.watch(principal, taskId, wake)
    renewLater()
    return record
  }

  async function change(event: TaskEvent): Promise<void> {
    try {
      await creating
      look(await host.access.change(principal, taskId, event, clock))
    } catch (error) {
      report(error)
    }
  }

  /** Handles changes by others: answers, or an end. */
  function look(record: TaskRecord | undefined): void {
    if (isOver) return
    if (record) notifications.sendStatus(record)
    if (record && !isTerminal(record)) options.onAnswers(record.inputResponses ?? {})
    else if (ending === undefined) options.onEnded(record?.status)
  }

  function wake(): void {
    if (!isOver) host.store.get(principal, taskId).then(look, report)
  }

  function renewLater(): void {
    renewal = clock.setTimer(() => {
      void change({ type: 'renewed', lease: lease() })
      renewLater()
    }, renewMs)
  }

  function lease(): NonNullable<TaskRecord['lease']> {
    return { owner: host.owner, until: epochMs(clock) + leaseMs }
  }

  async function close(event: TaskEvent): Promise<void> {
    const { end, bytes } = fitResult(event, host.kept.maxBytes, caller.codec)
    await change(end)
    isOver = true
    watch?.[Symbol.dispose]()
    renewal?.[Symbol.dispose]()
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

/** Writes progress into the record. While one message is being written, only the newest waits. */
export function createStatusMessages(
  change: (event: TaskEvent) => Promise<void>,
): (progress: Progress) => Promise<void> {
  let waiting: string | undefined
  let writing: Promise<void> | undefined

  async function write(): Promise<void> {
    while (waiting !== undefined) {
      const message = waiting
      waiting = undefined
      await change({ type: 'progressed', message })
    }
  }

  return (progress) => {
    waiting = describe(progress)
    writing ??= write().finally(() => (writing = undefined))
    return writing
  }
}

function describe({ message, progress, total }: Progress): string {
  const text = message ?? (total === undefined ? `${progress}` : `${progress} of ${total}`)
  return text.slice(0, longestMessage)
}
