import type { DecodeLimits } from './message.ts'
import { RpcError } from './rpc-error.ts'

/**
 * Refuses what is nested too deeply or has too many members, after parsing: `JSON.parse` itself does not recurse.
 * A text shorter than twice a limit cannot exceed it, so ordinary messages are not walked at all.
 */
export function measureJson(
  value: unknown,
  textLength: number,
  { depth, members }: DecodeLimits,
): RpcError | undefined {
  if (textLength < 2 * depth && textLength < 2 * members) return undefined
  return measure(value, depth)

  function measure(node: unknown, depthLeft: number): RpcError | undefined {
    if (typeof node !== 'object' || node === null) return undefined
    if (depthLeft === 0) return exceeded('depth', depth, 'nested deeper')
    let count = 0
    if (Array.isArray(node)) {
      if (node.length > members) return exceeded('members', members, 'an array is longer')
      for (const child of node) {
        const problem = measure(child, depthLeft - 1)
        if (problem !== undefined) return problem
      }
      return undefined
    }
    // A parsed object inherits from Object.prototype alone, which has nothing enumerable.
    for (const key in node) {
      if (++count > members) return exceeded('members', members, 'an object has more members')
      const problem = measure((node as Record<string, unknown>)[key], depthLeft - 1) // own key of a parsed object
      if (problem !== undefined) return problem
    }
    return undefined
  }
}

function exceeded(limit: 'depth' | 'members', allowed: number, what: string): RpcError {
  return new RpcError('limit_exceeded', `${what} than limits.${limit} (${allowed}) allows`, {
    data: { limit, allowed },
  })
}
