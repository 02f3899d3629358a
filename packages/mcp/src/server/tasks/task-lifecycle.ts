import { accountOf, principalOf } from '../../rpc/auth-info.ts'
import { epochMs } from '../../rpc/time/epoch.ts'
import { isTerminal, type TaskStatus } from '../../schema/tasks.ts'
import type { Call } from '../calls/call.ts'
import { fitEnd } from './end-size.ts'
import type { TaskDesk } from './task-host.ts'
import type { TaskVoice } from './task-notifications.ts'
import type { TaskPlace } from './task-quota.ts'
import type { TaskEvent } from './task-state.ts'
import type { TaskAnswers, TaskRecord } from './task-store.ts'

/** The record of one task, from when it is made to when it is forgotten, in the process that runs it. */
export interface TaskLife {
  readonly isBegun: boolean
  readonly isOver: boolean
  /** Resolves when everybody can find it. Once, however often it is called. */
  begin(): Promise<TaskRecord>
  /** Never rejects: what cannot be written down is reported, and the work goes on. */
  change(event: TaskEvent): Promise<void>
  /** The last change. What happens afterwards changes nothing. */
  end(event: TaskEvent): Promise<void>
}

export interface TaskLifeOptions {
  readonly desk: TaskDesk
  /** The request it began with. */
  readonly call: Call
  readonly taskId: string
  readonly tool: string
  readonly keepMs: number
  readonly place: TaskPlace
  readonly voice: TaskVoice
  /** Somebody answered. */
  readonly onAnswers: (answers: TaskAnswers) => void
  /** Somebody else ended it; undefined if it is gone. */
  readonly onEnded: (status: TaskStatus | undefined) => void
}

/** A process is believed to run its tasks for so long after it last said so. */
const leaseMs = 30_000
const renewMs = 10_000

export function createTaskLife(options: TaskLifeOptions): TaskLife {
  const { desk, call, taskId, keepMs, voice } = options
  const { caller, operation } = call
  const { clock } = caller
  const principal = principalOf(caller.auth)
  let beginning: Promise<TaskRecord> | undefined
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
      pollIntervalMs: desk.pollIntervalMs,
      principal,
      version: 1,
      tool: options.tool,
      keepMs,
      lease: lease(),
    }
    await desk.store.create(record)
    watch = desk.store.watch(principal, taskId, wake)
    renewLater()
    return record
  }

  async function change(event: TaskEvent): Promise<void> {
    try {
      await beginning
      look(await desk.access.change(principal, taskId, event, clock))
    } catch (error) {
      report(error)
    }
  }

  /** What others made of it meanwhile: answered, or ended. */
  function look(record: TaskRecord | undefined): void {
    if (isOver) return
    if (record) voice.tellStatus(record)
    if (record && !isTerminal(record)) options.onAnswers(record.inputResponses ?? {})
    else if (ending === undefined) options.onEnded(record?.status)
  }

  function wake(): void {
    if (!isOver) desk.store.get(principal, taskId).then(look, report)
  }

  function renewLater(): void {
    renewal = clock.setTimer(() => {
      void change({ type: 'renewed', lease: lease() })
      renewLater()
    }, renewMs)
  }

  function lease(): NonNullable<TaskRecord['lease']> {
    return { owner: desk.owner, until: epochMs(clock) + leaseMs }
  }

  async function close(event: TaskEvent): Promise<void> {
    const { end, bytes } = fitEnd(event, desk.kept.maxBytes, caller.codec)
    await change(end)
    isOver = true
    watch?.[Symbol.dispose]()
    renewal?.[Symbol.dispose]()
    const forget = forgetting(options, principal)
    desk.kept.keep(accountOf(caller.auth), { bytes, keepMs, clock, forget })
  }

  function report(error: unknown): void {
    caller.onError(error, { severity: 'error', operation })
  }

  return {
    get isBegun() {
      return beginning !== undefined
    },
    get isOver() {
      return ending !== undefined
    },
    begin: () => (beginning ??= create()),
    change,
    end: (event) => (ending ??= close(event)),
  }
}

/** Stands by itself, so that what is remembered for long holds nothing of the call. */
function forgetting({ desk, taskId, place, call }: TaskLifeOptions, principal: string): () => void {
  const { store } = desk
  const { operation } = call
  const { onError } = call.caller
  return () => {
    place.leave()
    store.remove(principal, taskId).catch((error: unknown) => {
      onError(error, { severity: 'error', operation })
    })
  }
}
