import { McpError } from '../../rpc/errors/mcp-error.ts'
import { isRpcError } from '../../rpc/errors/rpc-error.ts'
import { anySignal } from '../../rpc/signals.ts'
import { describeProblem } from '../../schema/check.ts'
import type { Task } from '../../schema/tasks.ts'
import { callToolResult, type CallToolResult } from '../../schema/tools.ts'
import type { Client } from '../client.ts'
import { keepProcessAlive } from '../connection/hold-process.ts'
import { hostOf, type ExtensionHost } from '../extension.ts'
import type { CallOptions } from '../options.ts'
import type { ToolCallResult } from '../tools/tools.ts'
import { followTask } from './follow-task.ts'
import { createTaskPort, type TaskPort } from './task-port.ts'
import { resultOf } from './task-result.ts'
import type { TaskState } from './task-state.ts'

/** Iterating gives each new state, by notification where possible, else by polling; it ends with the task. */
export interface TaskHandle<Output = unknown> extends AsyncIterable<Task> {
  /** The id that the server gave the task; keep it to continue later with `resumeTask`. */
  readonly taskId: string
  /** Follows it to its end, answering on the way. Rejects with `task_ended` where there is no result. */
  result(options?: { readonly signal?: AbortSignal | undefined }): Promise<ToolCallResult<Output>>
  /** Asks for the end; the task may still finish otherwise. */
  cancel(): Promise<void>
}

export interface TaskHandleOptions {
  readonly taskId: string
  readonly name?: string | undefined
  readonly known?: TaskState | undefined
  readonly onProgress?: CallOptions['onProgress']
}

/** Continues with a task by its id, after a restart or elsewhere. */
export function resumeTask<Output = unknown>(
  client: Omit<Client, 'callTool' | 'use'>,
  taskId: string,
): TaskHandle<Output> {
  return createTaskHandle(hostOf(client), { taskId })
}

export function createTaskHandle<Output>(
  host: ExtensionHost,
  { taskId, name, known, onProgress }: TaskHandleOptions,
): TaskHandle<Output> {
  const port = createTaskPort({ host, taskId, name, onProgress })

  async function* states(): AsyncGenerator<Task, void, undefined> {
    for await (const { task } of followTask(port, known, host.closed)) yield task
  }

  async function result(signal: AbortSignal): Promise<CallToolResult> {
    const value = await resultOf(port, await lastState(port, known, signal), signal)
    const { codec } = await host.session()
    const decoded = codec.decodeResult('tools/call', value)
    const problem = callToolResult(decoded)
    if (problem === undefined) return decoded as CallToolResult // just checked
    const why = describeProblem(problem)
    throw new McpError('invalid_message', `the result of task ${taskId} is not usable: ${why}`, {
      details: { excerpt: why },
    })
  }

  return {
    taskId,
    [Symbol.asyncIterator]: states,
    async result({ signal } = {}) {
      const until = anySignal(host.closed, signal)
      const found = await keepProcessAlive(result(until))
      const checked = name === undefined ? found : await host.checkOutput(name, found)
      return checked as ToolCallResult<Output> // as far as the tool keeps its promise
    },
    async cancel() {
      try {
        await port.request('tasks/cancel', { taskId })
      } catch (error) {
        if (!isRpcError(error, 'invalid_params')) throw error
        await port.request('tasks/get', { taskId }) // it has ended already, or is not there
      }
    },
  }
}

/** Follows a task to its end. */
export async function lastState(
  port: TaskPort,
  existing: TaskState | undefined,
  signal: AbortSignal,
): Promise<TaskState> {
  let last: TaskState | undefined
  for await (const state of followTask(port, existing, signal)) last = state
  if (last === undefined) throw new TypeError(`task ${port.taskId} ended without a state`)
  return last
}
