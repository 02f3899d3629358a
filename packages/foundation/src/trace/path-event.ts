import type { JsonObject, JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import type { TraceKind, TraceRecord } from './record.ts'

/** The part of a record that explains the time of a call: a few words, so that viewers can keep it for all of them. */
export interface PathEvent {
  /** The `seq` of the record. */
  readonly seq: number
  /** Milliseconds since the trace began. */
  readonly time: number
  /** The kind of record. */
  readonly kind: TraceKind
  /** The role within a call. */
  readonly role: 'request' | 'answer' | 'notification' | 'event'
  /** `in` was received, `out` was sent; absent for what is neither. */
  readonly direction?: 'in' | 'out' | undefined
  /** The method, or what kind of thing happened. */
  readonly label: string
  /** The subject: a tool, a message of progress. */
  readonly subject: string
  /** The hint about the use of time, if there is one. */
  readonly hint?: PathHint | undefined
}

/** The data that the content of a record adds. */
export type PathHint =
  /** An answer that asks for more input: a round of the call ends. */
  | { readonly tag: 'asks' }
  /** A request that gives the input: the next round begins. */
  | { readonly tag: 'gives' }
  /** Where a task is. */
  | {
      readonly tag: 'task'
      /** Whether its outcome is there. */
      readonly isOver: boolean
      /** Whether it waits for input. */
      readonly asks: boolean
    }
  | {
      /** An HTTP response. */
      readonly tag: 'http'
      /** Whether it is an event stream. */
      readonly isStream: boolean
      /** Whether it failed: by its status, or before there was one. */
      readonly isFailed: boolean
    }
  /** An answer to a question, and its source. */
  | {
      readonly tag: 'decision'
      /** The question: the kind of the decision. */
      readonly about: string
      /** The answer. */
      readonly how: string
      /** The source of the answer: a person, a rule, a program. */
      readonly by: string
    }
  /** A step of a sign-in that happens in a browser. */
  | { readonly tag: 'browser' }

/** Reads the hint of a record; most have none. */
export function pathHintOf({
  kind,
  message,
  direction,
  details,
}: TraceRecord): PathHint | undefined {
  if (kind === 'message' && isJsonObject(message)) return messageHint(message)
  if (details === undefined) return undefined
  if (kind === 'decision') {
    const { kind: about, how, by } = details
    return { tag: 'decision', about: textOf(about), how: textOf(how), by: textOf(by) }
  }
  if (kind === 'auth') {
    const isBrowser = details['from'] === 'browser' || details['to'] === 'browser'
    return isBrowser ? { tag: 'browser' } : undefined
  }
  if (kind !== 'http' || direction !== 'in') return undefined
  const { status, failed, headers } = details
  const type = isJsonObject(headers) ? textOf(headers['content-type']) : ''
  return {
    tag: 'http',
    isStream: type.startsWith('text/event-stream'),
    isFailed: failed === true || (typeof status === 'number' && status >= 400),
  }
}

function messageHint({ method, params, result }: JsonObject): PathHint | undefined {
  if (typeof method === 'string') {
    const input = isJsonObject(params) ? params : {}
    if (method.startsWith('notifications/tasks')) return taskHint(input)
    const isRound = input['inputResponses'] !== undefined || input['requestState'] !== undefined
    return isRound ? { tag: 'gives' } : undefined
  }
  if (!isJsonObject(result)) return undefined
  const task = taskHint(result)
  if (task) return task
  const { requestState, inputRequests } = result
  const asks = requestState !== undefined || inputRequests !== undefined
  return asks ? { tag: 'asks' } : undefined
}

/** A task is over when its outcome is there; until then it is worked on, or waits to be fetched. */
function taskHint(value: JsonObject): PathHint | undefined {
  const { taskId, status, result, error, inputRequests } = isJsonObject(value['task'])
    ? value['task']
    : value
  if (typeof taskId !== 'string') return undefined
  const isOver = status === 'cancelled' || result !== undefined || error !== undefined
  return { tag: 'task', isOver, asks: inputRequests !== undefined }
}

/** A record as an event. */
export function pathEventOf(record: TraceRecord): PathEvent {
  const { seq, time, kind, direction, message, text = '' } = record
  const hint = pathHintOf(record)
  const base = { seq, time, kind, ...(direction && { direction }), ...(hint && { hint }) }
  if (kind === 'message' && isJsonObject(message)) {
    const { id, method, params } = message
    if (typeof method !== 'string') return { ...base, role: 'answer', label: '', subject: '' }
    const role = id === undefined ? 'notification' : 'request'
    return { ...base, role, label: method, subject: subjectOf(isJsonObject(params) ? params : {}) }
  }
  const isExchange = kind === 'http' && record.stream !== undefined
  const role = isExchange ? (direction === 'out' ? 'request' : 'answer') : 'event'
  return { ...base, role, label: kind, subject: text }
}

function subjectOf({ name, uri, message, progress, total }: JsonObject): string {
  const named = name ?? uri ?? message
  if (typeof named === 'string') return named
  if (typeof progress !== 'number') return ''
  return typeof total === 'number' ? `${progress} of ${total}` : `${progress}`
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}
