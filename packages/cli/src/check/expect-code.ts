import type { Exchange } from '../probe/exchange.ts'
import { broken, kept, type Verdict } from './check.ts'
import { codeOf, describe } from './legacy-peer.ts'

/** Kept if the answer is an error with one of these numbers. */
export function expectCode(found: Exchange, codes: readonly number[], fix: string): Verdict {
  const code = codeOf(found)
  return code !== undefined && codes.includes(code)
    ? kept
    : broken(describe(found), fix, { got: found.answer })
}
