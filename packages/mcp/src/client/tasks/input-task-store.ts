import type { Connection } from '../../rpc/connection.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { InputRunner } from '../input/input-extension.ts'
import { createInputTask, type InputTask } from './input-task.ts'

/** Bounds what one server can leave with a client. */
export interface InputTasksOptions {
  /** Kept after the answer; a server that asks for less gets less. @defaultValue 3_600_000 */
  readonly ttlMs?: number | undefined
  /** Told to servers. @defaultValue 1_000 */
  readonly pollIntervalMs?: number | undefined
  /** Not answered yet, at once; ten times as many are remembered. @defaultValue 20 */
  readonly maxRunning?: number | undefined
  /** The total size of stored answers. @defaultValue 16 MiB */
  readonly maxBytes?: number | undefined
}

/** The tasks of one connection; they end with it. */
export interface InputTaskStore {
  /** Throws `RpcError` for an input request that cannot be answered, or for which there is no room. */
  start(
    method: string,
    params: JsonObject,
    connection: Connection,
    ttlMs: number | undefined,
  ): InputTask
  find(taskId: string): InputTask | undefined
  /** In the order they were asked. */
  all(): Iterable<InputTask>
  end(reason: unknown): void
}

/** The number of finished tasks that are stored for each that may run. */
const keptPerRunning = 10

export function createInputTaskStore(
  runner: InputRunner,
  options: InputTasksOptions,
): InputTaskStore {
  const { pollIntervalMs = 1_000, maxRunning = 20, maxBytes = 16 * 1024 * 1024 } = options
  const { ttlMs: maxMs = 3_600_000 } = options
  const tasks = new Map<string, InputTask>()
  const timers = new Map<string, Disposable>()
  let count = 0

  function bytesStored(): number {
    return [...tasks.values()].reduce((sum, { bytes }) => sum + bytes, 0)
  }

  function requireCapacity(): void {
    const running = [...tasks.values()].filter(({ isOver }) => !isOver).length
    const maxStored = maxRunning * keptPerRunning
    if (running >= maxRunning) throw full(`works on ${maxRunning} tasks at once`)
    if (tasks.size >= maxStored) throw full(`remembers ${maxStored} tasks at once`)
    if (bytesStored() >= maxBytes) throw full(`keeps ${maxBytes} bytes of answers at once`)
  }

  function reserve(bytes: number): void {
    const left = maxBytes - bytesStored()
    if (bytes <= left) return
    const message = `the answer has ${bytes} bytes, and this client keeps ${maxBytes} for tasks, of which ${left} are left`
    const data = { limit: 'maxBytes', allowed: maxBytes, seen: bytes }
    throw new RpcError('limit_exceeded', message, { data })
  }

  return {
    start(method, params, connection, ttlMs = maxMs) {
      const ask = runner.prepare(method, params)
      requireCapacity()
      const keepMs = Math.min(Math.max(ttlMs, 0), maxMs)
      const task = createInputTask({
        runner,
        connection,
        method,
        ask,
        number: (count += 1),
        keepMs,
        pollIntervalMs,
        reserve,
        onEnd({ taskId, view }) {
          timers.set(
            taskId,
            runner.clock.setTimer(() => forget(taskId), keepMs),
          )
          connection.notify('notifications/tasks/status', { ...view() })
        },
      })
      tasks.set(task.taskId, task)
      return task
    },
    find: (taskId) => tasks.get(taskId),
    all: () => tasks.values(),
    end(reason) {
      for (const timer of timers.values()) timer[Symbol.dispose]()
      for (const task of tasks.values()) task.abandon(reason)
      timers.clear()
      tasks.clear()
    },
  }

  function forget(taskId: string): void {
    tasks.delete(taskId)
    timers.delete(taskId)
  }
}

/** The server may send it again later. */
function full(limit: string): RpcError {
  return new RpcError('overloaded', `this client ${limit}: ask again later`)
}
