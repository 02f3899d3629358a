import { isMcpError, McpError } from '../../rpc/errors/mcp-error.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import type { TaskRequest } from '../../schema/tasks.ts'
import { tasksExtension } from '../../wire/downgrade-initialize.ts'
import { keepProcessAlive } from '../connection/hold-process.ts'
import type { ClientExtension, ExtensionCall, OutgoingCall } from '../extension.ts'
import type { CallOptions } from '../options.ts'
import type { InputTasksOptions } from './input-task-store.ts'
import { inputTasks } from './input-tasks.ts'
import { onlyStart, startedTask, type StartedResult, type StartOption } from './started-task.ts'
import { lastState } from './task-handle.ts'
import { createTaskPort, type TaskPort } from './task-port.ts'
import { resultOf } from './task-result.ts'
import { readCore, readDetailed, type TaskState } from './task-state.ts'

/** Options for the tasks of a client. */
export interface ClientTasksOptions {
  /**
   * How much of what servers of 2025-11-25 ask as tasks is taken on, by a client with `elicit` or `sample`; false for
   * nothing, so that all is answered while the server waits. @defaultValue `{}`
   */
  readonly inputRequests?: InputTasksOptions | false | undefined
}

/** Lets `callTool` follow tasks to their end and answer input requests on the way, and lets servers request input as tasks. */
export function clientTasks({ inputRequests = {} }: ClientTasksOptions = {}): ClientExtension {
  if (inputRequests) checkLimits(inputRequests)
  return {
    id: tasksExtension,
    '~client': {
      inputRequests: (own) => (inputRequests ? inputTasks(own, inputRequests) : undefined),
      results: { task: ['tools/call'] },
      prepare: askForTask,
      kindOf(result, method, { has }) {
        const isTask = isJsonObject(result['task']) && result['content'] === undefined
        return method === 'tools/call' && has.tasks === 'core' && isTask ? 'task' : undefined
      },
      async onResult(_, result, call) {
        const state =
          call.codec.has.tasks === 'core'
            ? readCore(result['task'], 'tools/call')
            : readDetailed(result, 'tools/call')
        return isOnlyStarted(call.options) ? standIn(state) : follow(state, call)
      },
    },
  }
}

function checkLimits({
  ttlMs = 0,
  pollIntervalMs = 0,
  maxRunning = 1,
  maxBytes = 0,
}: InputTasksOptions): void {
  if (ttlMs >= 0 && pollIntervalMs >= 0 && maxRunning >= 1 && maxBytes >= 0) return
  throw new RangeError('clientTasks: maxRunning must be at least 1, and no other number below 0')
}

/** In 2025-11-25 the caller decides, within what the tool says and the server declares. */
async function askForTask({
  method,
  params,
  options,
  session,
  host,
}: OutgoingCall): Promise<{ readonly task: TaskRequest } | undefined> {
  const { codec, server } = session
  if (method !== 'tools/call' || codec.has.tasks !== 'core') return undefined
  if (server.capabilities.tasks?.requests?.tools?.call === undefined) return undefined
  const { name } = (params ?? {}) as { readonly name?: unknown } // read, not trusted
  const tool = typeof name === 'string' ? await host.findTool(name) : undefined
  const support = tool?.execution?.taskSupport
  const isWanted = support === 'required' || (support === 'optional' && isOnlyStarted(options))
  return isWanted ? { task: {} } : undefined
}

function isOnlyStarted(options: CallOptions & StartOption): boolean {
  return options[onlyStart] === true
}

function standIn(state: TaskState): JsonObject & StartedResult {
  return { content: [], [startedTask]: state }
}

/** A caller that gives up, or cannot answer an input request, cancels the task: no one else knows of it. */
async function follow(state: TaskState, call: ExtensionCall): Promise<JsonObject> {
  const { host, options, params, signal } = call
  const { taskId } = state.task
  const { name } = params
  const tool = typeof name === 'string' ? name : undefined
  const own = createTaskPort({ host, taskId, name: tool, onProgress: options.onProgress })
  let isUnanswered = false
  const port: TaskPort = {
    ...own,
    ask: (requests, until) =>
      own.ask(requests, until).catch((error: unknown) => {
        isUnanswered ||= !until.aborted
        throw error
      }),
  }
  try {
    const last = await keepProcessAlive(lastState(port, state, signal))
    return await resultOf(port, last, signal)
  } catch (error) {
    const isOver = isMcpError(error, 'task_ended') || host.closed.aborted
    if (isOver) throw error
    if (!isUnanswered && !signal.aborted) throw taskLost(taskId, error)
    host.request('tasks/cancel', { taskId }).catch(() => undefined) // it may be gone by itself
    throw error
  }
}

/** The task may still run, and another client may poll it. */
function taskLost(taskId: string, cause: unknown): McpError<'task_lost'> {
  const why = cause instanceof Error ? `: ${cause.message}` : ''
  return new McpError('task_lost', `task ${taskId} can no longer be followed${why}`, {
    details: { taskId },
    hint: 'It was not cancelled: resumeTask(client, details.taskId) continues it.',
    ...(isMcpError(cause) && { peer: cause.peer }),
    cause,
  })
}
