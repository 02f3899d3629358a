import type { RpcError } from '../errors/rpc-error.ts'
import { defaultLimits } from '../limits.ts'
import type { DecodeLimits } from '../message.ts'
import { exceeded } from './scan-json.ts'

/** Refuses a value that is nested too deeply, or has too many members or values, for what was parsed before it came here. */
export function measureJson(
  value: unknown,
  { depth, members, values = defaultLimits.values }: DecodeLimits,
): RpcError | undefined {
  let total = 0
  return measure(value, depth)

  function measure(node: unknown, depthLeft: number): RpcError | undefined {
    if (typeof node !== 'object' || node === null) return undefined
    if (depthLeft === 0) return exceeded('depth', depth)
    if (++total > values) return exceeded('values', values)
    let count = 0
    if (Array.isArray(node)) {
      if (node.length > members) return exceeded('members', members)
      if ((total += Math.max(0, node.length - 1)) > values) return exceeded('values', values)
      for (const child of node) {
        const problem = measure(child, depthLeft - 1)
        if (problem !== undefined) return problem
      }
      return undefined
    }
    // A parsed object inherits from Object.prototype alone, which has nothing enumerable.
    for (const key in node) {
      if (++count > members) return exceeded('members', members)
      if (count > 1 && ++total > values) return exceeded('values', values)
      const problem = measure((node as Record<string, unknown>)[key], depthLeft - 1) // own key of a parsed object
      if (problem !== undefined) return problem
    }
    return undefined
  }
}
