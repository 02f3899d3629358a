import type { Attributes, Meter } from '@opentelemetry/api'
import type { RequestMetrics, ObservedOutcome, ServiceMetrics } from '@parley/mcp'

import { createLimitedNames } from './attributes.ts'
import { createRequestKinds, type RequestKind, type RequestKinds } from './request-kinds.ts'
import { addMetrics, createTotals, type Total } from './totals.ts'

/** The instruments of one side. */
export interface SideInstruments {
  /** Asked for whenever figures are collected: to count costs nothing. */
  running: number
  readonly kinds: RequestKinds
  /** A request has ended. `failure` joins the attributes of its duration. */
  ended(
    kind: RequestKind,
    outcome: ObservedOutcome,
    seconds: number,
    failure: Attributes | undefined,
    metrics: RequestMetrics | undefined,
  ): void
}

/** All instruments of one meter. */
export interface Instruments {
  readonly server: SideInstruments
  readonly client: SideInstruments
  /** A service whose figures are told until this is disposed. */
  watch(metrics: () => ServiceMetrics): Disposable
}

export function createInstruments(meter: Meter): Instruments {
  const services = new Set<() => ServiceMetrics>()
  let hasServed = false
  for (const { name, unit, description, of } of serviceMetrics) {
    meter
      .createObservableUpDownCounter(`mcp.server.${name}`, { unit, description })
      .addCallback((result) => {
        if (!hasServed) return // over stdio there is none
        let sum = 0
        for (const metrics of services) sum += of(metrics())
        result.observe(sum)
      })
  }
  const namesOf = createLimitedNames()
  return {
    server: createSide(meter, 'server', namesOf),
    client: createSide(meter, 'client', namesOf),
    watch(metrics) {
      hasServed = true
      services.add(metrics)
      return { [Symbol.dispose]: () => void services.delete(metrics) }
    },
  }
}

const serviceMetrics = [
  {
    name: 'sessions',
    unit: '{session}',
    description: 'Sessions that this process has over HTTP',
    of: ({ sessions }: ServiceMetrics) => sessions,
  },
  {
    name: 'streams',
    unit: '{stream}',
    description: 'Event streams that somebody reads',
    of: ({ streams }: ServiceMetrics) => streams,
  },
  {
    name: 'held_bytes',
    unit: 'By',
    description: 'Bytes that callers make this process hold',
    of: ({ usedBytes }: ServiceMetrics) => usedBytes,
  },
] as const

function createSide(
  meter: Meter,
  side: 'server' | 'client',
  namesOf: ReturnType<typeof createLimitedNames>,
): SideInstruments {
  const durations = meter.createHistogram(`mcp.${side}.operation.duration`, {
    unit: 's',
    description: `How long requests take, as the ${side} sees it`,
    advice: { explicitBucketBoundaries: secondBuckets },
  })
  const totals = createTotals(meter, side)
  const kinds = createRequestKinds()

  /** Returns the total for a kind that is not cached. */
  function findTotal(kind: RequestKind, outcome: ObservedOutcome): Total {
    const names = namesOf(kind, kind.target, outcome)
    const total = totals.of(names, kind.revision)
    if (names.method === kind.method && names.target === kind.target) {
      kind.total = total
      kinds.keep(kind)
    }
    return total
  }

  const counted: SideInstruments = {
    running: 0,
    kinds,
    ended(kind, outcome, seconds, failure, metrics) {
      const total = kind.total ?? findTotal(kind, outcome)
      const { attributes } = total
      durations.record(seconds, failure ? { ...attributes, ...failure } : attributes)
      if (metrics) addMetrics(total, metrics)
    },
  }
  meter
    .createObservableUpDownCounter(`mcp.${side}.active_requests`, {
      unit: '{request}',
      description: `Requests that are worked on now, as the ${side} sees it`,
    })
    .addCallback((result) => result.observe(counted.running))
  return counted
}

/** In seconds, as the conventions advise. */
export const secondBuckets = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]

/** From 256 bytes to 16 MiB. */
export const byteBuckets = [
  2 ** 8,
  2 ** 10,
  2 ** 12,
  2 ** 14,
  2 ** 16,
  2 ** 18,
  2 ** 20,
  2 ** 22,
  2 ** 24,
]
