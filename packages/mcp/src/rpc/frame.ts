import type { JsonValue } from '../schema/json.ts'

/** One frame, as it crossed the wire; for traces, inspectors and tests. */
export interface Frame {
  readonly direction: 'in' | 'out'
  readonly at: number
  readonly message: JsonValue
  readonly bytes: number
  /** Which exchange it belongs to when one connection carries many (an HTTP request, a stream). */
  readonly stream?: string
}
