/**
 * The check of how much callers may do: requests in a time, requests at once, sizes. Counts are kept for each caller, server and
 * tool, bounded in number; several processes share budgets through the store, and each counts alone while that is away.
 */

import { isDeepStrictEqual } from 'node:util'

import { createTokenBuckets, type Rate, type TokenBuckets } from '@parley/mcp/internal'

import type { Check, CheckedRequest, Rejection, SharedState } from '../check.ts'
import { isLargerThan } from './json-size.ts'

/** How much is allowed. What is not given is not limited. */
export interface LimitsOptions {
  readonly rate?:
    | {
        /** For each caller, over everything it does. Callers that nobody verified share one. */
        readonly caller?: Rate | undefined
        /** For each tool, prompt and resource, over all callers. */
        readonly tool?: Rate | undefined
        /** For each server, over all callers. */
        readonly upstream?: Rate | undefined
      }
    | undefined
  /** Limit for the arguments as JSON, in bytes. */
  readonly argumentBytes?: number | undefined
  /** Limit for a result as JSON, in bytes. */
  readonly resultBytes?: number | undefined
  /** Requests of one caller under way at once. */
  readonly concurrentPerCaller?: number | undefined
  /** Milliseconds that only grow. @defaultValue the clock of the process */
  readonly now?: (() => number) | undefined
}

/** Refuses what is too often, too large or too much at once. */
export function limitsCheck(options: LimitsOptions): Check {
  const { argumentBytes, resultBytes, concurrentPerCaller, now = () => performance.now() } = options
  const rates = ratesOf(options.rate, now)
  let underway = new Map<string, number>()
  const memory: LimitsMemory = {
    rates,
    get underway() {
      return underway
    },
  }

  let shared: SharedState | undefined

  function leave(principal: string): void {
    const running = underway.get(principal) ?? 0
    if (running > 1) underway.set(principal, running - 1)
    else underway.delete(principal)
  }

  return {
    name: 'limits',
    memory,
    takeOver(input) {
      const before = input as LimitsMemory // of a check of this name
      underway = before.underway
      for (const mine of rates) {
        const same = before.rates.find(
          ({ of, rate }) => of === mine.of && isDeepStrictEqual(rate, mine.rate),
        )
        if (same) mine.buckets = same.buckets
      }
    },
    before(request) {
      const { principal } = request.caller
      const running = underway.get(principal) ?? 0
      if (concurrentPerCaller !== undefined && running >= concurrentPerCaller) {
        return rejection(
          'concurrency',
          `${running} requests of ${quoted(principal)} are under way, and at most ${concurrentPerCaller} may be: wait for one to end`,
        )
      }
      if (argumentBytes !== undefined && isLargerThan(request.arguments, argumentBytes)) {
        return rejection(
          'size of arguments',
          `the arguments of ${quoted(request.subject.exposedName)} have more than ${argumentBytes} bytes: send less`,
        )
      }
      const tooFast = rates.find(({ buckets, nameOf }) => buckets.waitMs(nameOf(request)) > 0)
      if (tooFast !== undefined) return rateRejection(tooFast, request)
      if (shared !== undefined && rates.length > 0) {
        underway.set(principal, running + 1) // while it is asked for
        return takeShared(shared, rates, request).then((tooOften) => {
          if (tooOften !== undefined || concurrentPerCaller === undefined) leave(principal)
          return tooOften
        })
      }
      for (const { buckets, nameOf } of rates) buckets.take(nameOf(request))
      if (concurrentPerCaller !== undefined) underway.set(principal, running + 1)
      return undefined
    },
    share(budgets) {
      shared = budgets
    },
    after(request, result) {
      if (resultBytes === undefined || !isLargerThan(result, resultBytes)) return undefined
      return rejection(
        'size of results',
        `the result of ${quoted(request.subject.exposedName)} has more than ${resultBytes} bytes: ask for less`,
      )
    },
    ended({ caller: { principal } }) {
      leave(principal)
    },
  }
}

/** The used budgets, and the calls in progress. */
interface LimitsMemory {
  readonly rates: readonly StoredRate[]
  readonly underway: Map<string, number>
}

/** Names beyond this are forgotten, the least recently used first. A forgotten one begins anew. */
const maxNames = 10_000

interface StoredRate {
  readonly of: string
  readonly rate: Rate
  /** Exchanged when the check takes over from another. */
  buckets: TokenBuckets
  readonly nameOf: (request: CheckedRequest) => string
}

function ratesOf(rates: LimitsOptions['rate'], now: () => number): readonly StoredRate[] {
  const { caller, tool, upstream } = rates ?? {}
  const rateOf = (
    of: string,
    rate: Rate | undefined,
    nameOf: StoredRate['nameOf'],
  ): readonly StoredRate[] =>
    rate === undefined
      ? []
      : [{ of, rate, nameOf, buckets: createTokenBuckets({ now }, rate, maxNames) }]
  return [
    ...rateOf('caller', caller, (request) => request.caller.principal),
    ...rateOf('tool', tool, ({ subject }) =>
      JSON.stringify([subject.kind, subject.upstream, subject.name]),
    ),
    ...rateOf('upstream', upstream, ({ subject }) => subject.upstream),
  ]
}

/** From what all processes may use up together. Where that cannot be asked for, each counts alone. */
async function takeShared(
  { budgets, onError }: SharedState,
  rates: readonly StoredRate[],
  request: CheckedRequest,
): Promise<Rejection | undefined> {
  const undo: (() => Promise<number>)[] = []
  for (const limit of rates) {
    const { of, rate, nameOf, buckets } = limit
    const windowMs = (rate.burst / rate.perSecond) * 1_000
    const key = `gateway/${of}/${nameOf(request)}`
    const take = (count: number): Promise<number> => budgets.take(key, count, rate.burst, windowMs)
    try {
      if ((await take(1)) > 0) {
        undo.push(() => take(-1))
        continue
      }
      await Promise.all(undo.map((giveBack) => giveBack()))
      return rateRejection(limit, request)
    } catch (error) {
      onError(error, { severity: 'warning', operation: 'limits' })
      buckets.take(nameOf(request))
    }
  }
  return undefined
}

function rateRejection(
  { of, rate, buckets, nameOf }: StoredRate,
  request: CheckedRequest,
): Rejection {
  const { caller, subject } = request
  const names = { caller: caller.principal, tool: subject.exposedName, upstream: subject.upstream }
  const who = of === 'caller' || of === 'tool' || of === 'upstream' ? names[of] : ''
  const waitMs = Math.ceil(buckets.waitMs(nameOf(request)) || 1_000 / rate.perSecond) // others may have used it up
  return rejection(
    `rate of ${of}`,
    `${of} ${quoted(who)} is limited to ${rate.perSecond} requests a second: try again in ${waitMs} ms`,
  )
}

function rejection(rule: string, message: string): Rejection {
  return { rejected: true, rule: `limits: ${rule}`, message }
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 200))
}
