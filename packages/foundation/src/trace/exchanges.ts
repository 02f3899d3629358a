import type { JsonObject } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import type { TraceRecord } from './record.ts'
import { createRequestFates, type RequestEnd, type RequestFates } from './request-fates.ts'

/** A request of a trace with what belongs to it. */
export interface Exchange {
  /** The record of the request. */
  readonly request: TraceRecord
  /** Its method. */
  readonly method: string
  /** The tool, prompt, resource or task it is about. */
  readonly name?: string | undefined
  /** Its params; empty if it has none. */
  readonly params: JsonObject
  /** The record of the answer; absent if there is none. */
  readonly answer?: TraceRecord | undefined
  /** From the request to its answer; absent if there is none. */
  readonly durationMs?: number | undefined
  /** The result; absent for an error. */
  readonly result?: JsonObject | undefined
  /** The error; absent for a result. */
  readonly error?: JsonObject | undefined
  /** A result that says of itself that it is an error. */
  readonly isToolError: boolean
  /** How it ended without an answer; absent for one that is still waited for. */
  readonly ended?: RequestEnd | undefined
  /** An older server refused `server/discover`, or did not answer it: that is no error. */
  readonly isProbe: boolean
  /** It was sent while its server's program was starting, and took as long as that. */
  readonly isStart: boolean
}

/** Every request with its answer, in the order of the requests. */
export function exchangesOf(records: Iterable<TraceRecord>): readonly Exchange[] {
  const requests: TraceRecord[] = []
  const answers = new Map<number, TraceRecord>()
  const ends = new Map<number, RequestEnd>()
  const probes = new Set<number>()
  const starts = new Set<number>()
  const fates = createRequestFates({
    onEnd: (seq, how) => ends.set(seq, how),
    onProbe: (seq) => probes.add(seq),
    onStart: (seq) => starts.add(seq),
    onStarted: () => undefined,
  })
  for (const record of records) {
    followFate(fates, record)
    if (record.kind !== 'message' || !isJsonObject(record.message)) continue
    const { method, id } = record.message
    if (typeof method === 'string') {
      if (id !== undefined) requests.push(record)
    } else if (record.parent !== undefined) answers.set(record.parent, record)
  }
  return requests.map((request) => {
    const { seq } = request
    const ended = answers.has(seq) ? undefined : ends.get(seq)
    return {
      ...describe(request, answers.get(seq)),
      ...(ended !== undefined && { ended }),
      isProbe: probes.has(seq),
      isStart: starts.has(seq),
    }
  })
}

/** Tells what a record says about requests. */
function followFate(fates: RequestFates, record: TraceRecord): void {
  const { seq, connection, kind, direction, time, parent, text = '', message } = record
  if (kind === 'status') return fates.status(connection, text, time)
  if (kind === 'process' && text.startsWith('start ')) return fates.programStarted(connection, seq)
  if (kind !== 'message' || !isJsonObject(message)) return
  if (direction === 'in') fates.received(connection, time)
  const { method, id, params, error } = message
  if (typeof method !== 'string') {
    if (parent !== undefined) fates.answered(connection, parent, error !== undefined)
  } else if (id !== undefined) fates.request({ seq, connection, method, direction })
  else if (method === 'notifications/cancelled' && parent !== undefined) {
    const { reason } = isJsonObject(params) ? params : {}
    fates.cancelled(connection, parent, typeof reason === 'string' ? reason : '', time)
  }
}

function describe(
  request: TraceRecord,
  answer: TraceRecord | undefined,
): Omit<Exchange, 'isProbe' | 'isStart'> {
  const { method, params } = request.message as JsonObject // it was one a moment ago
  const { result, error } = isJsonObject(answer?.message) ? answer.message : {}
  const input = isJsonObject(params) ? params : {}
  const name = input['name'] ?? input['uri'] ?? input['taskId']
  return {
    request,
    method: method as string, // what is collected has one
    params: input,
    isToolError: isJsonObject(result) && result['isError'] === true,
    ...(typeof name === 'string' && { name }),
    ...(answer && { answer, durationMs: answer.time - request.time }),
    ...(isJsonObject(result) && { result }),
    ...(isJsonObject(error) && { error }),
  }
}
