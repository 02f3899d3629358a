import type { Attributes } from '@opentelemetry/api'

import { commonAttributes } from './attributes.ts'
import type { Total } from './totals.ts'

/** The common data of requests of the same revision, method and tool. */
export interface RequestKind {
  readonly revision: string | undefined
  readonly method: string
  /** The tool or prompt. */
  readonly target: string | undefined
  readonly spanName: string
  /** The attributes of their spans. Not to be changed. */
  readonly attributes: Attributes
  /** The same for those that arrived by HTTP, once there was one. */
  overHttp: Attributes | undefined
  /** Their total in metrics. Undefined for a name without a successful request. */
  total: Total | undefined
}

/** Kinds that are known, so that nothing is made twice for them. */
export interface RequestKinds {
  /** A new one, which is forgotten, unless it was kept. */
  of(revision: string | undefined, method: string, target: string | undefined): RequestKind
  /** For good: only kinds whose names are of a limited number. */
  keep(kind: RequestKind): void
}

export function createRequestKinds(): RequestKinds {
  const byMethod = new Map<string, KindsOfMethod>()

  return {
    of(revision, method, target) {
      const kind = byMethod.get(method)?.get(target)?.get(revision)
      if (kind !== undefined) return kind
      return {
        revision,
        method,
        target,
        spanName: target === undefined ? method : `${method} ${target}`,
        attributes: commonAttributes({ method, target }, revision),
        overHttp: undefined,
        total: undefined,
      }
    },

    keep(kind) {
      const byTarget = entry(byMethod, kind.method, () => new Map())
      entry(byTarget, kind.target, () => new Map()).set(kind.revision, kind)
    },
  }
}

/** By tool or prompt, then by revision. */
type KindsOfMethod = Map<string | undefined, Map<string | undefined, RequestKind>>

function entry<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const found = map.get(key) ?? create()
  map.set(key, found)
  return found
}
