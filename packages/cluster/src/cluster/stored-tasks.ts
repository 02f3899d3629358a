import { RpcError } from '@parley/mcp'
import type { TaskProcesses, TaskRecord, TaskStore } from '@parley/mcp/tasks'

import type { ClusterStore, RecordKey } from '../store/cluster-store.ts'

/** Tasks that one answer lists at most. */
const pageSize = 50
/** A running task is written so rarely that it needs this much, however short its own time is. */
const shortestRunMs = 60_000
const cursorStart = 'after-'

/** Tasks as records of a store: created at one process, followed, answered and cancelled at any other. */
export function createStoredTasks(
  { records, bus }: Pick<ClusterStore, 'records' | 'bus'>,
  processes: TaskProcesses,
): TaskStore {
  return {
    processes,
    forgets: true,

    async create(task) {
      await records.put(keyOf(task.principal, task.taskId), JSON.stringify(task), 0, keepMsOf(task))
    },

    async get(principal, taskId) {
      const found = await records.get(keyOf(principal, taskId))
      return found && read(found.text)
    },

    async update(task, expectedVersion) {
      const key = keyOf(task.principal, task.taskId)
      const found = await records.get(key)
      if (found === undefined || read(found.text).version !== expectedVersion) return false
      const isFirst = await records.put(key, JSON.stringify(task), found.version, keepMsOf(task))
      if (isFirst) bus.publish(topicOf(task.taskId), '')
      return isFirst
    },

    async list(principal, cursor) {
      const page = await records.list(groupOf(principal), readCursor(cursor), pageSize)
      const tasks = page.texts.map(read)
      return page.cursor === undefined ? { tasks } : { tasks, cursor: cursorStart + page.cursor }
    },

    async remove(principal, taskId) {
      await records.remove(keyOf(principal, taskId))
      bus.publish(topicOf(taskId), '')
    },

    watch: (_, taskId, wake) => bus.subscribe(topicOf(taskId), wake),
  }
}

function read(text: string): TaskRecord {
  return JSON.parse(text) as TaskRecord // as it was written here
}

/** A group for each principal: a foreign task does not exist. */
function keyOf(principal: string, taskId: string): RecordKey {
  return { group: groupOf(principal), id: taskId }
}

function groupOf(principal: string): string {
  return `tasks/${principal}`
}

function topicOf(taskId: string): string {
  return `task/${taskId}`
}

/** From this write on, by the store's clock. The times in the record are those of processes, whose clocks may differ. */
function keepMsOf({ status, ttlMs, keepMs }: TaskRecord): number {
  if (ttlMs === null) return Infinity
  const isRunning = status === 'working' || status === 'input_required'
  return isRunning ? Math.max(shortestRunMs, ttlMs) : keepMs
}

function readCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined || cursor.startsWith(cursorStart)) {
    return cursor?.slice(cursorStart.length)
  }
  throw new RpcError('invalid_params', 'invalid cursor: list again without one')
}
