import { RpcError } from '../../rpc/errors/rpc-error.ts'
import type { Codec } from '../../wire/codec.ts'
import type { TaskEvent } from './task-state.ts'

/** The end of a task and what keeping it takes; one too large to be kept is a failure that says so. */
export function fitEnd(
  event: TaskEvent,
  maxBytes: number,
  codec: Codec,
): { readonly end: TaskEvent; readonly bytes: number } {
  const bytes = sizeOf(event)
  return bytes <= maxBytes
    ? { end: event, bytes }
    : { end: tooLarge(bytes, maxBytes, codec), bytes: 0 }
}

function sizeOf(event: TaskEvent): number {
  try {
    return new TextEncoder().encode(JSON.stringify(event)).byteLength
  } catch {
    return 0 // what is no JSON is refused when somebody asks for it
  }
}

function tooLarge(seen: number, allowed: number, codec: Codec): TaskEvent {
  const why = `the result has ${seen} bytes, and ${allowed} are kept for the tasks of one caller`
  const data = { limit: 'maxBytes', allowed, seen }
  const error = codec.encodeError(new RpcError('limit_exceeded', why, { data }))
  return { type: 'failed', error }
}
