import { BoundedMap } from '@parley/mcp/internal'

import type { Subject } from '../checks/check.ts'

/** The origins of items that are in no list: a link in a result, a task. Bounded; the oldest are forgotten. */
export interface Origins {
  remember(who: string, what: string, origin: Subject): void
  find(who: string, what: string): Origin | undefined
}

/** Without its definition, which may be large. */
export type Origin = Omit<Subject, 'definition'>

const maxOrigins = 10_000

export function createOrigins(): Origins {
  const origins = new BoundedMap<string, Origin>(maxOrigins)
  return {
    /** The first to name it keeps it: another server cannot take over what was given out before. */
    remember(who, what, { kind, upstream, name, exposedName }) {
      const key = JSON.stringify([who, what])
      if (origins.has(key)) return
      origins.set(key, { kind, upstream, name, exposedName })
    },
    find: (who, what) => origins.get(JSON.stringify([who, what])),
  }
}
