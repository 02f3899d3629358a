import { createTokenBucket } from '../../rpc/rate.ts'
import type { LoggingLevel } from '../../schema/logging.ts'
import type { Progress, ProgressToken } from '../../schema/progress.ts'
import type { TaskStatus } from '../../schema/tasks.ts'
import { metaKeys } from '../../wire/request-meta.ts'
import type { Call } from '../calls/call.ts'
import type { Caller } from '../calls/caller.ts'
import { createProgressReporter } from '../calls/progress.ts'
import { toLogMessage, wantsLog } from '../logging/logging.ts'
import { sendNotification, type ServerNotification } from '../notifications.ts'
import type { TaskWaiters } from './server-tasks.ts'
import type { TaskEvent } from './task-state.ts'
import type { TaskRecord } from './task-store.ts'
import { toCoreTask, maxMessageLength } from './task-view.ts'

/**
 * The notifications of one task, in revisions that have them: sent to the client that waits for its result, else to the
 * one that started it, outside of any request.
 */
export interface TaskNotifications {
  progress(progress: Progress): void
  log(level: LoggingLevel, data: unknown, logger?: string): void
  /** Sends each new status once. */
  sendStatus(record: TaskRecord): void
  /** Sends the last progress; nothing is sent after it. */
  end(): void
}

/** Where tasks are an extension, clients poll them or listen to them. */
const silent: TaskNotifications = {
  progress: () => undefined,
  log: () => undefined,
  sendStatus: () => undefined,
  end: () => undefined,
}

/** Log messages beyond this are dropped. */
const logRate = { burst: 100, perSecond: 100 }

export function createTaskNotifications(
  { caller, meta, method: operation }: Call,
  taskId: string,
  waiters: TaskWaiters,
): TaskNotifications {
  if (caller.codec.has.tasks !== 'core') return silent
  const token = meta['progressToken'] as ProgressToken | undefined // checked with the params
  const _meta = { [metaKeys.task]: { taskId } }
  const reporter =
    token === undefined
      ? undefined
      : createProgressReporter(
          { clock: caller.clock, onError: caller.onError, drained: undefined, notify: sendRelated },
          token,
          operation,
        )
  const logs = createTokenBucket(caller.clock, logRate)
  let reportedStatus: TaskStatus = 'working'
  let isEnded = false

  function send(method: ServerNotification, params: object): void {
    const waiter: Caller | undefined = waiters.newest(taskId)
    if (waiter) sendNotification(waiter, method, params)
    else sendNotification(caller, method, params, 'session')
  }

  function sendRelated(method: ServerNotification, params: object): void {
    send(method, { ...params, _meta })
  }

  return {
    progress(progress) {
      if (!isEnded) void reporter?.report(progress)
    },
    log(level, data, logger) {
      if (!wantsLog(caller, level) || isEnded || !logs.take()) return
      try {
        sendRelated('notifications/message', toLogMessage(level, data, logger))
      } catch (error) {
        caller.onError(error, { severity: 'warning', operation })
      }
    },
    sendStatus(record) {
      if (record.status === reportedStatus) return
      reportedStatus = record.status
      send('notifications/tasks/status', toCoreTask(record))
    },
    end() {
      isEnded = true
      reporter?.flush()
    },
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
  return text.slice(0, maxMessageLength)
}
