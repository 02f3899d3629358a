import { isMcpError } from '@parley/mcp'
import type { AskedTask, RequestContext } from '@parley/mcp/server'

import { reportRejection } from './tell-refusal.ts'

/** A task that a client works on, and what it said about it meanwhile. */
export interface FollowedTask {
  /** For the question; given up after so many polls of a second each. */
  readonly task: AskedTask
  /** The client took the question on as a task. */
  readonly isStarted: boolean
  /** Line by line: that it was created, then each time it was asked for. */
  readonly progress: string
  /** How a question ended that has no answer; throws what is no end of a task. */
  describeEnd(error: unknown): string
}

/** Writes down how a client gets on with a question. */
export function followTask(ttlMs: number, maxPolls: number): FollowedTask {
  const lines: string[] = []
  let last: Parameters<NonNullable<AskedTask['onStatus']>>[0] | undefined

  function describeEnd(error: unknown): string {
    if (isMcpError(error, 'timeout')) {
      return `[TIMEOUT] Task timed out after ${lines.length - 1} poll attempts`
    }
    if (last?.status !== 'failed' && last?.status !== 'cancelled') return reportRejection(error)
    return `[${last.status.toUpperCase()}] ${last.statusMessage ?? 'No message'}`
  }

  return {
    task: {
      ttlMs,
      waitMs: (maxPolls + 0.5) * 1_000,
      onStatus(task) {
        const { taskId, status, statusMessage } = task
        const about = statusMessage === undefined ? status : `${status} - ${statusMessage}`
        lines.push(
          last === undefined ? `Task created: ${taskId}` : `Poll ${lines.length}: ${about}`,
        )
        last = task
      },
    },
    get isStarted() {
      return last !== undefined
    },
    get progress() {
      return lines.join('\n')
    },
    describeEnd: (error) => `${describeEnd(error)}\n\nProgress:\n${lines.join('\n')}`,
  }
}

/** Whether a client works on such questions as tasks; only 2025-11-25 has that. */
export function canTakeTasks(
  { client, revision }: RequestContext,
  kind: 'sampling' | 'elicitation',
): boolean {
  const { sampling, elicitation, tasks } = client.capabilities
  if (revision !== '2025-11-25') return false
  return kind === 'sampling'
    ? sampling !== undefined && tasks?.requests?.sampling?.createMessage !== undefined
    : elicitation !== undefined && tasks?.requests?.elicitation?.create !== undefined
}
