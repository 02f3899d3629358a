/** The functions that a viewer of traces needs; runs in a browser. */

export { compareTraces } from './compare.ts'
export type { ChangedField, ComparedExchange } from './compare.ts'
export { pathOf, timeByWho } from './critical-path.ts'
export type { CriticalPath } from './critical-path.ts'
export { pathHintOf } from './path-event.ts'
export type { PathEvent, PathHint } from './path-event.ts'
export { formatShare } from './path-segment.ts'
export type { PathSegment, PathWho } from './path-segment.ts'
export type { PathNode } from './path-tree.ts'
export { createRequestFates } from './request-fates.ts'
export type { RequestEnd } from './request-fates.ts'
export { readTrace, writeTrace } from './trace-text.ts'
