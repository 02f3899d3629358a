import type { Health } from '@parley/mcp/http'
import type { Service } from '@parley/mcp/server'

/** What became of the calls of a process that was drained. */
export type DrainReport = Awaited<ReturnType<Service['drain']>>

/** What a child tells its parent. */
export type ChildMessage =
  /** Its work has begun. */
  | { readonly processes: 'serving'; readonly url?: string }
  | { readonly processes: 'health'; readonly health: Health }
  /** It is about to end. */
  | { readonly processes: 'drained'; readonly report: DrainReport }

/** What a parent tells its children. */
export interface ParentMessage {
  readonly processes: 'drain'
  /** Without one, as long as the child usually takes. */
  readonly deadlineMs?: number
}

/** Whether something on the channel is one of these: it also carries calls of the store. */
export function isProcessMessage(value: unknown): value is ChildMessage | ParentMessage {
  return typeof value === 'object' && value !== null && 'processes' in value
}
