import type { ConsentDecision } from '@parley/host'
import { ToolError } from '@parley/mcp'
import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { consentBy, inProcess, testHost } from '../playing.ts'

/** The same numbers every time. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

test('no call is made without a decision that allows exactly it', async () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const next = numbers(seed)
    const made: string[] = []
    const allowed: string[] = []
    const server = createServer({ name: 'any', version: '1.0.0' })
    const spare = createServer({ name: 'spare', version: '1.0.0' })
    for (const [name, one] of [
      ['any', server],
      ['spare', spare],
    ] as const) {
      one.tool('act', { inputSchema: { type: 'object' } }, (args) => {
        made.push(`${name} ${JSON.stringify(args)}`)
        if (next(4) === 0) throw new ToolError('on purpose')
        return 'ok'
      })
    }
    const consent = consentBy(({ server: whose, arguments: args }): ConsentDecision => {
      const kind = next(4)
      if (kind < 2) return { decision: 'deny', rule: 'test', message: 'no' }
      const sent = kind === 2 ? args : { changed: next(100) }
      allowed.push(`${whose} ${JSON.stringify(sent)}`)
      return { decision: 'allow', rule: 'test', ...(kind === 3 && { arguments: sent }) }
    })
    const rounds = 1 + next(4)
    const host = testHost(
      ({ index }) =>
        index >= rounds
          ? 'Done.'
          : {
              calls: Array.from({ length: next(5) + 1 }, () => {
                const name =
                  ['any__act', 'spare__act', 'act', 'any__', 'read_result', 'call_tool'][next(6)] ??
                  ''
                return next(5) === 0
                  ? { name, argumentsText: '{"half' }
                  : { name, arguments: { n: next(1_000_000) } }
              }),
            },
      [inProcess('any', server), inProcess('spare', spare)],
      { consent, limits: { callsPerTurn: 8, parallelCalls: 2 } },
    )
    const stop = new AbortController()
    let events = 0
    const stopAt = next(3) === 0 ? next(20) : -1
    for await (const _ of host.turn('Go.', { signal: stop.signal })) {
      events += 1
      if (events === stopAt) stop.abort()
    }
    await host.close()

    const left = [...allowed]
    for (const one of made) {
      const at = left.indexOf(one)
      expect(at, `${one} was called without a decision, seed ${seed}`).not.toBe(-1)
      left.splice(at, 1)
    }
    if (stopAt === -1) expect(left, `allowed and not made, seed ${seed}`).toEqual([])
  }
})
