import { createTokenBuckets } from '@parley/mcp/internal'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { tries } from '../../../../test-support/thorough.ts'
import { isLargerThan } from '../../src/checks/limits/json-size.ts'
import { limitsCheck } from '../../src/checks/limits/limits.ts'
import { readChecks } from '../../src/checks/read-checks.ts'
import { callerOf, callOf, toolOf } from './requests.ts'

const grace = callerOf({ principal: 'grace' })

test('limits each caller by itself, and says when to try again', () => {
  let at = 0
  const limits = limitsCheck({ rate: { caller: { burst: 2, perSecond: 4 } }, now: () => at })
  const request = callOf(toolOf('a'))

  expect(limits.before?.(request)).toBeUndefined()
  expect(limits.before?.(callOf(toolOf('b')))).toBeUndefined()
  expect(limits.before?.(request)).toEqual({
    rejected: true,
    rule: 'limits: rate of caller',
    message: 'caller "ada" is limited to 4 requests a second: try again in 250 ms',
  })
  expect(limits.before?.(callOf(toolOf('a'), {}, grace))).toBeUndefined()
  at = 250
  expect(limits.before?.(request)).toBeUndefined()
  expect(limits.before?.(request)).toMatchObject({ rejected: true })
})

test('limits a tool and an upstream over all callers; a refused request uses nothing up', () => {
  const limits = limitsCheck({
    rate: { tool: { burst: 1, perSecond: 1 }, upstream: { burst: 2, perSecond: 1 } },
    now: () => 0,
  })

  expect(limits.before?.(callOf(toolOf('a')))).toBeUndefined()
  expect(limits.before?.(callOf(toolOf('a'), {}, grace))).toMatchObject({
    rule: 'limits: rate of tool',
  })
  expect(limits.before?.(callOf(toolOf('b')))).toBeUndefined()
  expect(limits.before?.(callOf(toolOf('c')))).toMatchObject({ rule: 'limits: rate of upstream' })
  expect(limits.before?.(callOf(toolOf('a', { upstream: 'other' })))).toBeUndefined()
})

test('many names take a bounded number of buckets, and a clock that goes back gives nothing', () => {
  let at = 1_000
  const buckets = createTokenBuckets({ now: () => at }, { burst: 1, perSecond: 1 }, 10_000)
  buckets.take('first')
  for (let index = 0; index < 20_000; index += 1) buckets.take(`name ${index}`)

  expect(buckets.waitMs('first')).toBe(0)
  expect(buckets.waitMs('name 19999')).toBe(1_000)
  at = 0
  expect(buckets.waitMs('name 19999')).toBe(1_000)
})

test('counts requests under way, and gives the place back when one ends', () => {
  const limits = limitsCheck({ concurrentPerCaller: 2 })
  const request = callOf(toolOf('a'))

  expect([limits.before?.(request), limits.before?.(request)]).toEqual([undefined, undefined])
  expect(limits.before?.(request)).toMatchObject({ rule: 'limits: concurrency' })
  expect(limits.before?.(callOf(toolOf('a'), {}, grace))).toBeUndefined()
  limits.ended?.(request)
  expect(limits.before?.(request)).toBeUndefined()
  expect(limits.before?.(request)).toMatchObject({ rejected: true })
})

test('a check that takes over keeps what was used up of a rate that stays', () => {
  const make = (burst: number) =>
    limitsCheck({ rate: { caller: { burst, perSecond: 0.001 } }, now: () => 0 })
  const request = callOf(toolOf('a'))
  const [before, same, wider] = [make(1), make(1), make(2)]
  expect(before.before?.(request)).toBeUndefined()

  same.takeOver?.(before.memory ?? {})
  wider.takeOver?.(before.memory ?? {})

  expect(same.before?.(request)).toMatchObject({ rule: 'limits: rate of caller' })
  expect(wider.before?.(request)).toBeUndefined()
})

test('gives back what others may use if another rate refuses the request', async () => {
  const limits = limitsCheck({
    rate: { tool: { burst: 5, perSecond: 1 }, upstream: { burst: 5, perSecond: 1 } },
    now: () => 0,
  })
  const taken = new Map<string, number>()
  limits.share?.({
    onError: () => undefined,
    values: { get: async () => undefined, set: async () => undefined },
    messages: {
      notify: () => undefined,
      send: () => undefined,
      listen: () => ({ [Symbol.dispose]: () => undefined }),
    },
    signal: new AbortController().signal,
    budgets: {
      async take(key, wanted) {
        if (key.startsWith('gateway/upstream/')) return 0 // others have used it up
        taken.set(key, (taken.get(key) ?? 0) + wanted)
        return wanted
      },
    },
  })

  expect(await limits.before?.(callOf(toolOf('a')))).toMatchObject({
    rule: 'limits: rate of upstream',
  })
  expect([...taken.values()]).toEqual([0])
})

test('refuses arguments and results that are too large', () => {
  const limits = limitsCheck({ argumentBytes: 1_000, resultBytes: 2_000 })
  const request = callOf(toolOf('a'), { text: 'x'.repeat(900) })

  expect(limits.before?.(request)).toBeUndefined()
  expect(limits.before?.(callOf(toolOf('a'), { text: 'ü'.repeat(600) }))).toMatchObject({
    message: 'the arguments of "git__a" have more than 1000 bytes: send less',
  })
  expect(limits.after?.(request, { content: ['x'.repeat(1_900)] })).toBeUndefined()
  expect(limits.after?.(request, { content: ['x'.repeat(2_100)] })).toMatchObject({
    rule: 'limits: size of results',
  })
})

test('stops counting where the limit is, and does not fall over depth', () => {
  let deep: unknown = 1
  for (let depth = 0; depth < 200_000; depth += 1) deep = [deep]
  let reads = 0
  const counted = new Proxy(
    Array.from({ length: 100_000 }, () => 'some text'),
    { get: (target, name) => ((reads += 1), Reflect.get(target, name)) },
  )

  expect(isLargerThan(deep, 1_000)).toBe(true)
  expect(isLargerThan(counted, 100)).toBe(true)
  expect(reads).toBeLessThan(20)
})

test('is about as large as JSON is', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const given = JSON.parse(JSON.stringify(value)) as unknown
      const bytes = Buffer.byteLength(JSON.stringify(given))
      expect(isLargerThan(given, bytes)).toBe(false)
      const plain = JSON.stringify(given).includes('\\')
        ? undefined
        : isLargerThan(given, bytes - 1)
      expect(plain ?? true).toBe(true)
    }),
    { numRuns: tries(300), seed: Number(process.env['FC_SEED'] ?? 5) },
  )
})

test('reads limits, and tells mistakes with their place', () => {
  const good = readChecks({
    limits: { rate: { caller: { perSecond: 5 } }, arguments: '1MB', results: 1000, concurrency: 4 },
  })
  expect(good).toMatchObject({ problems: [], checks: [{ name: 'limits' }] })

  const { problems } = readChecks({
    limits: {
      rate: { caller: { burst: 0, perSecond: 5 }, tool: {}, everyone: {} },
      arguments: 'much',
      concurrency: 0,
      memory: 1,
    },
  })
  expect(problems.map(({ path }) => path.join('.'))).toEqual([
    'limits.rate.caller.burst',
    'limits.rate.tool',
    'limits.rate.everyone',
    'limits.arguments',
    'limits.concurrency',
    'limits.memory',
  ])
  expect(readChecks({ limits: [] }).problems).toMatchObject([{ path: ['limits'] }])
})
