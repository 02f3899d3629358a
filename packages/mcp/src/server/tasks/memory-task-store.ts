import { pageAfter, type Numbered } from '../../rpc/numbered-page.ts'
import type { TaskRecord, TaskStore } from './task-store.ts'

/** Keeps tasks in the memory of this process. */
export function createMemoryTaskStore(): TaskStore {
  const principals = new Map<string, Map<string, Stored>>()
  const watchers = new Map<string, Set<() => void>>()
  let created = 0

  function find(principal: string, taskId: string): Stored | undefined {
    return principals.get(principal)?.get(taskId)
  }

  function wakeAll(taskId: string): void {
    for (const wake of watchers.get(taskId) ?? []) wake()
  }

  return {
    async create(record) {
      const tasks = principals.get(record.principal) ?? new Map<string, Stored>()
      principals.set(record.principal, tasks)
      tasks.set(record.taskId, { number: (created += 1), record })
    },
    async get(principal, taskId) {
      return find(principal, taskId)?.record
    },
    async update(record, expectedVersion) {
      const stored = find(record.principal, record.taskId)
      if (stored?.record.version !== expectedVersion) return false
      stored.record = record
      wakeAll(record.taskId)
      return true
    },
    async list(principal, cursor) {
      const { items, ...next } = pageAfter(principals.get(principal)?.values() ?? [], cursor)
      return { tasks: items.map(({ record }) => record), ...next }
    },
    async remove(principal, taskId) {
      const tasks = principals.get(principal)
      if (!tasks?.delete(taskId)) return
      if (tasks.size === 0) principals.delete(principal)
      wakeAll(taskId)
    },
    watch(_principal, taskId, wake) {
      const wakes = watchers.get(taskId) ?? new Set()
      watchers.set(taskId, wakes.add(wake))
      return {
        [Symbol.dispose]() {
          wakes.delete(wake)
          if (wakes.size === 0 && watchers.get(taskId) === wakes) watchers.delete(taskId)
        },
      }
    },
  }
}

interface Stored extends Numbered {
  record: TaskRecord
}
