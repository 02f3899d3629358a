import type { TraceRecord } from '@parley/foundation/trace'
import { pathHintOf, type PathHint } from '@parley/foundation/trace/view'
import { isJsonObject } from '@parley/mcp/json'

import { recordOf, textOf } from '../../json.ts'

/** What the list needs of a record: small, so that a hundred thousand of them fit in the page. */
export interface Entry {
  readonly seq: number
  /** Milliseconds since the trace began. */
  readonly time: number
  readonly at: number
  readonly server: string
  readonly kind: TraceRecord['kind']
  readonly role: 'request' | 'answer' | 'notification' | 'event'
  readonly direction: 'in' | 'out' | undefined
  /** The method, or what kind of thing happened. */
  readonly label: string
  /** The tool, the address, the text: what it is about. */
  readonly subject: string
  readonly isError: boolean
  readonly bytes: number
  readonly parent: number | undefined
  /** Finds the other half where the record does not name it. */
  readonly pair: string | undefined
  /** What its content says about where time went; most say nothing. */
  readonly hint: PathHint | undefined
}

const maxSubjectLength = 160

/** Reads a record; nothing of its content is kept but a few words. */
export function readEntry(record: TraceRecord): Entry {
  const { seq, time, at, connection, kind, direction, bytes = 0, parent } = record
  const hint = pathHintOf(record)
  const base = { seq, time, at, server: connection, kind, direction, bytes, parent, hint }
  if (kind === 'message' && isJsonObject(record.message)) {
    // What an app says to its host has ids of its own.
    const { stream } = record
    if (stream?.startsWith('app ') !== true) {
      return { ...base, ...readMessage(record.message, connection, direction) }
    }
    const read = readMessage(record.message, `${connection} ${stream}`, direction)
    return { ...base, ...read, subject: read.subject === '' ? 'app' : `app · ${read.subject}` }
  }
  const details = recordOf(record.details)
  const isFailed = details['failed'] === true || Number(details['status'] ?? 0) >= 400
  const isHttp = kind === 'http' && record.stream !== undefined
  const label = kind === 'http' ? 'HTTP' : kind
  return {
    ...base,
    role: isHttp ? (direction === 'out' ? 'request' : 'answer') : 'event',
    label,
    subject: cut(record.text ?? textOf(details['title']) ?? textOf(details['state']) ?? ''),
    isError: isFailed || kind === 'unparsable',
    pair: isHttp ? `${connection}\n${record.stream}` : undefined,
  }
}

function readMessage(
  message: { readonly [name: string]: unknown },
  connection: string,
  direction: 'in' | 'out' | undefined,
): Pick<Entry, 'role' | 'label' | 'subject' | 'isError' | 'pair'> {
  const { id, method, params, result, error } = message
  const hasId = typeof id === 'string' || typeof id === 'number'
  if (typeof method === 'string') {
    return {
      role: hasId ? 'request' : 'notification',
      label: method,
      subject: cut(subjectOf(recordOf(params))),
      isError: false,
      pair: hasId ? pairOf(connection, direction, id) : undefined,
    }
  }
  const isError = error !== undefined || recordOf(result)['isError'] === true
  return {
    role: 'answer',
    label: isError ? 'error' : 'result',
    subject: cut(textOf(recordOf(error)['message']) ?? ''),
    isError,
    // The answer goes the other way, so it is found under the way the request went.
    pair: hasId ? pairOf(connection, direction === 'in' ? 'out' : 'in', id) : undefined,
  }
}

function pairOf(connection: string, direction: string | undefined, id: unknown): string {
  return `${connection}\n${direction}\n${typeof id}\n${String(id)}`
}

function subjectOf(params: { readonly [name: string]: unknown }): string {
  const named = params['name'] ?? params['uri'] ?? params['message'] ?? params['level']
  if (typeof named === 'string') return named
  const { progress, total } = params
  if (typeof progress === 'number') {
    return typeof total === 'number' ? `${progress} of ${total}` : `${progress}`
  }
  return textOf(params['taskId']) ?? textOf(params['reason']) ?? ''
}

function cut(text: string): string {
  return text.length > maxSubjectLength ? `${text.slice(0, maxSubjectLength)}…` : text
}
