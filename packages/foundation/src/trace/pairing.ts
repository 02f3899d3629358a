import type { JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

/** Finds which earlier record a message belongs to, on one connection. */
export interface Pairing {
  /** The `seq` of the record that `message` answers, reports on or was caused by. */
  location(message: JsonValue, direction: 'in' | 'out', seq: number): number | undefined
  /** The `seq` of a request of ours that was not answered yet. */
  requestOf(id: unknown): number | undefined
}

interface Message {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: { readonly [name: string]: unknown } | undefined
  readonly result?: { readonly [name: string]: unknown } | undefined
}

/** The number of open entries, above which the oldest are forgotten. */
const most = 10_000
const relatedTask = 'io.modelcontextprotocol/related-task'
/** Requests that stay open beside others and cause nothing. */
const staysOpen: ReadonlySet<unknown> = new Set([
  'subscriptions/listen',
  'tasks/result',
  'tasks/get',
])

export function createPairing(): Pairing {
  const open = { in: new Map<string, number>(), out: new Map<string, number>() }
  /** Requests about a task, which begin none. */
  const polls = new Map<string, number>()
  /** Requests of ours that may lead to questions. */
  const calls = new Map<string, number>()
  const progress = new Map<string, number>()
  const tasks = new Map<string, number>()
  /** The first request of a call that was asked back, by the state it has to give back. */
  const rounds = new Map<string, number>()

  function answer(message: Message, direction: 'in' | 'out'): number | undefined {
    const key = keyOf(message.id)
    const requests = open[direction === 'in' ? 'out' : 'in']
    const request = requests.get(key)
    if (request === undefined) return undefined
    requests.delete(key)
    if (direction === 'in') {
      calls.delete(key)
      if (!polls.delete(key)) learn(message.result ?? {}, request)
    }
    return request
  }

  /** Results that say that more will come. */
  function learn(result: { readonly [name: string]: unknown }, request: number): void {
    const { task, taskId = asObject(task)['taskId'], requestState, inputRequests } = result
    if (typeof taskId === 'string') keep(tasks, taskId, tasks.get(taskId) ?? request)
    if (requestState !== undefined || inputRequests !== undefined) {
      keep(rounds, roundOf(requestState), rounds.get(roundOf(requestState)) ?? request)
    }
  }

  function causeOf({ method, params = {} }: Message, direction: 'in' | 'out'): number | undefined {
    const related = asObject(asObject(params['_meta'])[relatedTask])['taskId'] ?? params['taskId']
    if (typeof related === 'string' && tasks.has(related)) return tasks.get(related)
    if (direction === 'out') {
      const { inputResponses, requestState } = params
      const isRound = inputResponses !== undefined || requestState !== undefined
      return isRound ? rounds.get(roundOf(requestState)) : undefined
    }
    if (method === 'ping' || calls.size !== 1) return undefined
    const [only] = calls.values()
    return only
  }

  function ask(message: Message, direction: 'in' | 'out', seq: number): number | undefined {
    const { id, method, params = {} } = message
    const cause = causeOf(message, direction)
    keep(open[direction], keyOf(id), seq)
    if (direction === 'out') {
      if (!staysOpen.has(method)) keep(calls, keyOf(id), seq)
      if (String(method).startsWith('tasks/')) keep(polls, keyOf(id), seq)
      const token = asObject(params['_meta'])['progressToken']
      if (token !== undefined) keep(progress, keyOf(token), seq)
    }
    return cause
  }

  function notification({ method, params = {} }: Message): number | undefined {
    if (method === 'notifications/progress') {
      return progress.get(keyOf(params['progressToken'])) ?? causeOf({ params }, 'out')
    }
    if (method === 'notifications/cancelled') {
      const key = keyOf(params['requestId'])
      return open.out.get(key) ?? open.in.get(key)
    }
    return causeOf({ params }, 'out')
  }

  return {
    requestOf: (id) => open.out.get(keyOf(id)),
    location(value, direction, seq) {
      if (!isJsonObject(value)) return undefined
      const message = value as Message // its members are looked at one by one
      if (typeof message.method !== 'string') return answer(message, direction)
      if (message.id === undefined) return notification(message)
      return ask(message, direction, seq)
    },
  }
}

function keep(map: Map<string, number>, key: string, seq: number): void {
  map.set(key, seq)
  if (map.size <= most) return
  for (const oldest of map.keys()) {
    map.delete(oldest)
    return
  }
}

/** The number 1 and the text "1" are different ids. */
function keyOf(id: unknown): string {
  return JSON.stringify(id) ?? ''
}

function roundOf(requestState: unknown): string {
  return keyOf(requestState ?? null)
}

function asObject(value: unknown): { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null ? (value as { [name: string]: unknown }) : {} // read, not trusted
}
