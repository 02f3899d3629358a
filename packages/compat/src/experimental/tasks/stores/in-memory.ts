/**
 * `@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js`: tasks, their results and their messages in memory.
 *
 * A task is removed when its time to live has passed. `Protocol` and `task-side.ts` use the interfaces that these classes have.
 */

import type { Request, RequestId, Result, Task } from '../../../types.ts'
import {
  type CreateTaskOptions,
  type QueuedMessage,
  type TaskMessageQueue,
  type TaskStore,
  isTerminal,
} from '../interfaces.ts'

interface StoredTask {
  task: Task
  request: Request
  requestId: RequestId
  sessionId: string | undefined
  result?: Result
}

const pageSize = 10

/** Keeps tasks in memory. A task is seen only from the session that created it. */
export class InMemoryTaskStore implements TaskStore {
  private tasks = new Map<string, StoredTask>()
  private cleanupTimers = new Map<string, ReturnType<typeof setTimeout>>()

  async createTask(
    taskParams: CreateTaskOptions,
    requestId: RequestId,
    request: Request,
    sessionId?: string,
  ): Promise<Task> {
    const taskId = crypto.randomUUID().replaceAll('-', '')
    const createdAt = new Date().toISOString()
    const task: Task = {
      taskId,
      status: 'working',
      ttl: taskParams.ttl ?? null,
      createdAt,
      lastUpdatedAt: createdAt,
      pollInterval: taskParams.pollInterval ?? 1_000,
    }
    this.tasks.set(taskId, { task, request, requestId, sessionId })
    this.scheduleCleanup(taskId, task.ttl)
    return task
  }

  async getTask(taskId: string, sessionId?: string): Promise<Task | null> {
    const stored = this.lookup(taskId, sessionId)
    return stored ? { ...stored.task } : null
  }

  async storeTaskResult(
    taskId: string,
    status: 'completed' | 'failed',
    result: Result,
    sessionId?: string,
  ): Promise<void> {
    const stored = this.require(taskId, sessionId)
    if (isTerminal(stored.task.status)) {
      throw new Error(
        `Cannot store result for task ${taskId} in terminal status '${stored.task.status}'. Task results can only be stored once.`,
      )
    }
    stored.result = result
    stored.task.status = status
    this.touch(stored)
  }

  async getTaskResult(taskId: string, sessionId?: string): Promise<Result> {
    const { result } = this.require(taskId, sessionId)
    if (!result) throw new Error(`Task ${taskId} has no result stored`)
    return result
  }

  async updateTaskStatus(
    taskId: string,
    status: Task['status'],
    statusMessage?: string,
    sessionId?: string,
  ): Promise<void> {
    const stored = this.require(taskId, sessionId)
    if (isTerminal(stored.task.status)) {
      throw new Error(
        `Cannot update task ${taskId} from terminal status '${stored.task.status}' to '${status}'. Terminal states (completed, failed, cancelled) cannot transition to other states.`,
      )
    }
    stored.task.status = status
    if (statusMessage) stored.task.statusMessage = statusMessage
    this.touch(stored)
  }

  async listTasks(
    cursor?: string,
    sessionId?: string,
  ): Promise<{ tasks: Task[]; nextCursor?: string }> {
    const visible = [...this.tasks.values()].filter(
      (stored) =>
        sessionId === undefined || stored.sessionId === undefined || stored.sessionId === sessionId,
    )
    let start = 0
    if (cursor !== undefined) {
      start = visible.findIndex(({ task }) => task.taskId === cursor) + 1
      if (start === 0) throw new Error(`Invalid cursor: ${cursor}`)
    }
    const tasks = visible.slice(start, start + pageSize).map(({ task }) => ({ ...task }))
    const nextCursor = start + pageSize < visible.length ? tasks.at(-1)?.taskId : undefined
    return { tasks, nextCursor }
  }

  /** Forgets everything, and ends the timers. */
  cleanup(): void {
    for (const timer of this.cleanupTimers.values()) clearTimeout(timer)
    this.cleanupTimers.clear()
    this.tasks.clear()
  }

  getAllTasks(): Task[] {
    return [...this.tasks.values()].map(({ task }) => ({ ...task }))
  }

  private lookup(taskId: string, sessionId: string | undefined): StoredTask | undefined {
    const stored = this.tasks.get(taskId)
    if (!stored) return undefined
    const isOther =
      sessionId !== undefined && stored.sessionId !== undefined && stored.sessionId !== sessionId
    return isOther ? undefined : stored
  }

  private require(taskId: string, sessionId: string | undefined): StoredTask {
    const stored = this.lookup(taskId, sessionId)
    if (!stored) throw new Error(`Task with ID ${taskId} not found`)
    return stored
  }

  /** A task that has ended is kept for its whole time again. */
  private touch({ task }: StoredTask): void {
    task.lastUpdatedAt = new Date().toISOString()
    if (isTerminal(task.status)) this.scheduleCleanup(task.taskId, task.ttl)
  }

  private scheduleCleanup(taskId: string, ttl: number | null): void {
    clearTimeout(this.cleanupTimers.get(taskId))
    if (!ttl) return
    this.cleanupTimers.set(
      taskId,
      setTimeout(() => {
        this.tasks.delete(taskId)
        this.cleanupTimers.delete(taskId)
      }, ttl),
    )
  }
}

/** Keeps messages of tasks in memory. */
export class InMemoryTaskMessageQueue implements TaskMessageQueue {
  private queues = new Map<string, QueuedMessage[]>()

  async enqueue(
    taskId: string,
    message: QueuedMessage,
    _sessionId?: string,
    maxSize?: number,
  ): Promise<void> {
    const queue = this.queues.get(taskId) ?? []
    if (maxSize !== undefined && queue.length >= maxSize) {
      throw new Error(
        `Task message queue overflow: queue size (${queue.length}) exceeds maximum (${maxSize})`,
      )
    }
    queue.push(message)
    this.queues.set(taskId, queue)
  }

  async dequeue(taskId: string, _sessionId?: string): Promise<QueuedMessage | undefined> {
    return this.queues.get(taskId)?.shift()
  }

  async dequeueAll(taskId: string, _sessionId?: string): Promise<QueuedMessage[]> {
    const queue = this.queues.get(taskId) ?? []
    this.queues.delete(taskId)
    return queue
  }
}
