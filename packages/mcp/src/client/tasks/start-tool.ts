import type { AnyTools, ToolMap } from '../../schema/tools.ts'
import type { Client } from '../client.ts'
import { hostOf } from '../extension.ts'
import type { ToolCallOptions } from '../options.ts'
import type { ToolCallResult } from '../tools/tools.ts'
import { onlyStart, startedTask, type StartedResult, type StartOption } from './started-task.ts'
import { createTaskHandle, type TaskHandle } from './task-handle.ts'

/** The state of a tool call that was started: done already, or continuing as a task. */
export type StartedTool<Output = unknown> =
  | {
      /** The tool has answered already. */
      readonly kind: 'result'
      /** Its result. */
      readonly result: ToolCallResult<Output>
    }
  | {
      /** The tool continues as a task. */
      readonly kind: 'task'
      /** Follows the task to its result, or cancels it. */
      readonly task: TaskHandle<Output>
    }

/** Starts a tool and returns at once if the server makes it a task. */
export async function startTool<
  Tools extends ToolMap<Tools> = AnyTools,
  N extends keyof Tools & string = keyof Tools & string,
>(
  client: Client<Tools>,
  name: N,
  args: Tools[N]['input'],
  options: ToolCallOptions = {},
): Promise<StartedTool<Tools[N]['output']>> {
  const marked: ToolCallOptions & StartOption = { ...options, [onlyStart]: true }
  const { callTool } = client as unknown as Client // by its name alone, whatever its types are
  const result: ToolCallResult & StartedResult = await callTool(name, args as never, marked)
  const task = result[startedTask]
  if (task === undefined) {
    return { kind: 'result', result }
  }
  const { onProgress } = options
  const { taskId } = task.task
  return {
    kind: 'task',
    task: createTaskHandle(hostOf(client), { taskId, name, known: task, onProgress }),
  }
}
