import type { ObservedOutcome, ObservedRequest } from '@parley/mcp'

/** What metrics may call a request: callers can make up names, and each would be a figure of its own for ever. */
export interface MetricNames {
  readonly method: string
  /** The tool or prompt. */
  readonly target?: string | undefined
}

/** Names that were answered at least once; of others only that there were some. */
export function createKnownNames(): (
  request: Pick<ObservedRequest, 'method'>,
  target: string | undefined,
  outcome: ObservedOutcome,
) => MetricNames {
  const known = new Set<string>()

  function isKnown(name: string, isAnswered: boolean): boolean {
    if (known.has(name)) return true
    if (!isAnswered || known.size >= maxNames) return false
    known.add(name)
    return true
  }

  return ({ method }, target, { kind }) => {
    const isAnswered = kind === 'result'
    if (!isKnown(method, isAnswered)) return { method: '_OTHER' }
    if (target === undefined || !isKnown(`${method} ${target}`, isAnswered)) return { method }
    return { method, target }
  }
}

const maxNames = 1_000
