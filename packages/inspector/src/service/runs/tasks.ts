import { resumeTask, type Task, type TaskHandle } from '@parley/mcp/tasks'

import type { RunOutcome, TaskView } from '../../protocol/index.ts'
import type { Emit, Handlers } from '../handlers.ts'
import { pointerOf } from '../pointer.ts'
import { toRunError } from '../problem.ts'
import type { Servers } from '../servers/servers.ts'
import { createThrottle } from '../throttle.ts'

/** Tasks of servers, as last seen. */
export interface Tasks {
  readonly handlers: Handlers<'tasks/cancel' | 'tasks/result'>
  readonly views: readonly TaskView[]
  /** Watches a task until it ends, and then gets its result. */
  follow(server: string, tool: string, task: TaskHandle): void
}

interface Followed {
  readonly handle: TaskHandle
  view: TaskView
  ended: Promise<RunOutcome>
}

const most = 200

export function createTasks(emit: Emit, servers: () => Servers): Tasks {
  const followed = new Map<string, Followed>()
  const notifying = createThrottle(50, () => emit('tasks/changed', { tasks: views() }))

  function views(): readonly TaskView[] {
    return [...followed.values()].map(({ view }) => view)
  }

  function follow(server: string, tool: string, handle: TaskHandle): Followed {
    const { taskId } = handle
    const now = Date.now()
    const view = { server, taskId, tool, status: 'working', createdAt: now, updatedAt: now }
    const entry: Followed = { handle, view, ended: watch() }
    followed.set(keyOf(server, taskId), entry)
    for (const key of followed.keys()) if (followed.size > most) followed.delete(key)
    notifying.ask()
    return entry

    async function watch(): Promise<RunOutcome> {
      await Promise.resolve() // `entry` is there from the next turn on
      const start = performance.now()
      let outcome: RunOutcome
      try {
        for await (const task of handle) see(task)
        const { issues, ...result } = await handle.result()
        outcome = {
          run: taskId,
          durationMs: performance.now() - start,
          result: { ...result },
          ...(issues && {
            outputIssues: issues.map(({ path = [], message }) => ({
              path: pointerOf(path),
              message,
            })),
          }),
        }
      } catch (error) {
        outcome = { run: taskId, durationMs: performance.now() - start, error: toRunError(error) }
      }
      entry.view = { ...entry.view, outcome, updatedAt: Date.now() }
      notifying.ask()
      return outcome
    }

    function see(task: Task): void {
      const { status, statusMessage, createdAt, ttlMs, pollIntervalMs } = task
      entry.view = {
        server,
        taskId,
        tool,
        status,
        createdAt: Date.parse(createdAt) || now,
        updatedAt: Date.now(),
        ...(statusMessage !== undefined && { statusMessage }),
        ...(ttlMs !== null && { ttlMs }),
        ...(pollIntervalMs !== undefined && { pollIntervalMs }),
      }
      notifying.ask()
    }
  }

  /** A task that somebody else began is taken up by its id. */
  function find(server: string, taskId: string): Followed {
    const task = followed.get(keyOf(server, taskId))
    return task ?? follow(server, '', resumeTask(servers().client(server), taskId))
  }

  return {
    follow,
    get views() {
      return views()
    },
    handlers: {
      async 'tasks/cancel'({ server, taskId }) {
        await find(server, taskId).handle.cancel()
        return {}
      },
      'tasks/result': ({ server, taskId }) => find(server, taskId).ended,
    },
  }
}

function keyOf(server: string, taskId: string): string {
  return JSON.stringify([server, taskId])
}
