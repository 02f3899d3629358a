import { epochMs } from '../../rpc/clock.ts'
import type { Connection } from '../../rpc/connection.ts'
import { McpError } from '../../rpc/errors/mcp-error.ts'
import type { RpcError } from '../../rpc/errors/rpc-error.ts'
import { taskCancelled } from '../../rpc/errors/task-errors.ts'
import type { Numbered } from '../../rpc/numbered-page.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { CoreTask } from '../../schema/tasks.ts'
import { metaKeys } from '../../wire/request-meta.ts'
import type { InputRequestHandler, InputRunner } from '../input/input-extension.ts'

/** An input request that is answered as a task, from its arrival until it expires. */
export interface InputTask extends Numbered {
  readonly taskId: string
  readonly isOver: boolean
  /** The size of its stored answer. */
  readonly bytes: number
  /** The task as the server sees it. */
  view(): CoreTask
  /** Calls the handler. Never rejects. */
  run(): Promise<void>
  /** The answer, as soon as it is known. */
  result(): Promise<JsonObject>
  /** For good, whatever the handler still does. */
  cancel(): void
  /** The server will not ask for it again. */
  abandon(reason: unknown): void
}

export interface InputTaskOptions extends Numbered {
  readonly runner: InputRunner
  readonly connection: Connection
  readonly method: string
  readonly ask: InputRequestHandler
  /** How long the task is kept after it ended. */
  readonly keepMs: number
  readonly pollIntervalMs: number
  /** Throws for an answer that there is no room for. */
  readonly reserve: (bytes: number) => void
  readonly onEnd: (task: InputTask) => void
}

type End =
  | { readonly status: 'completed'; readonly result: JsonObject }
  | { readonly status: 'failed'; readonly error: RpcError }
  | { readonly status: 'cancelled' }

export function createInputTask(options: InputTaskOptions): InputTask {
  const { runner, connection, method, number, keepMs, pollIntervalMs } = options
  const taskId = crypto.randomUUID()
  const createdAt = epochMs(runner.clock)
  const controller = new AbortController()
  let ended: { readonly end: End; readonly at: number } | undefined
  let isAbandoned = false
  let bytes = 0
  let wake: () => void = () => undefined
  const over = new Promise<void>((resolve) => (wake = resolve))

  function endTask(end: End): void {
    if (ended || isAbandoned) return
    ended = { end, at: epochMs(runner.clock) }
    wake()
    options.onEnd(task)
  }

  async function answer(): Promise<End> {
    const result = await options.ask(connection, controller, { taskId })
    const size = new TextEncoder().encode(JSON.stringify(result)).byteLength
    if (!task.isOver) options.reserve(size)
    bytes = size
    return { status: 'completed', result: result as JsonObject } // what is sent is JSON
  }

  /** Work that lasts is kept for as long as any other after its end, so its promise grows with its age. */
  function ttl(): number {
    const age = (ended?.at ?? epochMs(runner.clock)) - createdAt
    return ended === undefined && age < keepMs / 2 ? keepMs : age + keepMs
  }

  const task: InputTask = {
    number,
    taskId,
    get isOver() {
      return ended !== undefined || isAbandoned
    },
    get bytes() {
      return bytes
    },
    view() {
      const end = ended?.end
      return {
        taskId,
        status: end?.status ?? 'working',
        ...(end?.status === 'failed' && { statusMessage: end.error.message }),
        createdAt: new Date(createdAt).toISOString(),
        lastUpdatedAt: new Date(ended?.at ?? createdAt).toISOString(),
        ttl: ttl(),
        pollInterval: pollIntervalMs,
      }
    },
    async run() {
      try {
        endTask(await answer())
      } catch (error) {
        if (!task.isOver) endTask({ status: 'failed', error: runner.explain(error, method) })
      }
    },
    async result() {
      await over
      const end = ended?.end
      if (end?.status === 'failed') throw end.error
      if (end?.status !== 'completed') throw taskCancelled()
      const { _meta } = end.result
      const related = { ...(_meta as JsonObject | undefined), [metaKeys.task]: { taskId } } // checked with the answer
      return { ...end.result, _meta: related }
    },
    cancel() {
      endTask({ status: 'cancelled' })
      const details = { by: 'caller' } as const
      controller.abort(new McpError('cancelled', 'the server cancelled the task', { details }))
    },
    abandon(reason) {
      isAbandoned = true
      controller.abort(reason)
    },
  }
  return task
}
