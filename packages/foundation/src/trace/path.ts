/** What a viewer needs to show where the time of a call went; runs in a browser. */

export { pathOf, timeByWho } from './critical-path.ts'
export type { CriticalPath } from './critical-path.ts'
export { pathHintOf } from './path-event.ts'
export type { PathEvent, PathHint } from './path-event.ts'
export type { PathSegment, PathWho } from './path-segment.ts'
export type { PathNode } from './path-tree.ts'
