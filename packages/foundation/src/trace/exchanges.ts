import type { JsonObject, JsonValue } from '@parley/mcp'

import type { TraceRecord } from './record.ts'

/** A request of a trace with what belongs to it. */
export interface Exchange {
  readonly request: TraceRecord
  readonly method: string
  /** The tool, prompt, resource or task it is about. */
  readonly name?: string | undefined
  readonly params: JsonObject
  readonly answer?: TraceRecord | undefined
  readonly durationMs?: number | undefined
  readonly result?: JsonObject | undefined
  readonly error?: JsonObject | undefined
  /** A result that says of itself that it is an error. */
  readonly isToolError: boolean
}

/** Every request with its answer, in the order of the requests. */
export function exchangesOf(records: Iterable<TraceRecord>): readonly Exchange[] {
  const requests: TraceRecord[] = []
  const answers = new Map<number, TraceRecord>()
  for (const record of records) {
    if (record.kind !== 'message' || !isObject(record.message)) continue
    const { method, id } = record.message
    if (typeof method === 'string') {
      if (id !== undefined) requests.push(record)
    } else if (record.parent !== undefined) answers.set(record.parent, record)
  }
  return requests.map((request) => describe(request, answers.get(request.seq)))
}

function describe(request: TraceRecord, answer: TraceRecord | undefined): Exchange {
  const { method, params } = request.message as JsonObject // it was one a moment ago
  const { result, error } = isObject(answer?.message) ? answer.message : {}
  const given = isObject(params) ? params : {}
  const name = given['name'] ?? given['uri'] ?? given['taskId']
  return {
    request,
    method: method as string, // what is collected has one
    params: given,
    isToolError: isObject(result) && result['isError'] === true,
    ...(typeof name === 'string' && { name }),
    ...(answer && { answer, durationMs: answer.time - request.time }),
    ...(isObject(result) && { result }),
    ...(isObject(error) && { error }),
  }
}

/** Whether a value is an object of JSON, and no list. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
