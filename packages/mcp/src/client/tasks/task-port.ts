import type { Clock } from '../../rpc/clock.ts'
import { McpError } from '../../rpc/errors/mcp-error.ts'
import type { OnError } from '../../rpc/errors/on-error.ts'
import type { Notification } from '../../rpc/message.ts'
import type { InputRequests, InputResponses } from '../../schema/input/input.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Progress } from '../../schema/progress.ts'
import type { ExtensionHost } from '../extension.ts'
import type { CallOptions } from '../options.ts'

/** The protocol of tasks: that of 2025-11-25, or the extension's. */
export type TaskProtocol = 'core' | 'extension'

/** How one task is reached, for a call that became it or for who holds on to it. */
export interface TaskPort {
  readonly taskId: string
  readonly clock: Clock
  readonly onError: OnError
  protocol(): Promise<TaskProtocol>
  readonly request: (method: string, params: object, options?: CallOptions) => Promise<JsonObject>
  ask(requests: InputRequests, signal: AbortSignal): Promise<InputResponses>
  onNotification(listener: (notification: Notification) => void): Disposable
  readonly onProgress: ((progress: Progress) => void) | undefined
  /** Keys of input requests that are being answered, so that each is answered once. */
  readonly taken: Set<string>
}

export interface TaskPortOptions {
  readonly host: ExtensionHost
  readonly taskId: string
  /** The tool, if it is known. */
  readonly name: string | undefined
  readonly onProgress: ((progress: Progress) => void) | undefined
}

export function createTaskPort({ host, taskId, name, onProgress }: TaskPortOptions): TaskPort {
  const about = { operation: 'tools/call', ...(name !== undefined && { name }) }
  return {
    taskId,
    clock: host.clock,
    onError: host.onError,
    async protocol() {
      const { codec, server } = await host.session()
      const { tasks } = codec.has
      if (tasks !== 'none') return tasks
      throw new McpError('unsupported', `there are no tasks in ${codec.revision}`, {
        details: { capability: 'tasks' },
        peer: server.info?.name,
      })
    },
    request: host.request,
    ask: (requests, signal) => host.ask(requests, about, signal),
    onNotification: host.onNotification,
    onProgress,
    taken: new Set(),
  }
}
