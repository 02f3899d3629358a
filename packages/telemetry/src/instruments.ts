import type { Attributes, Meter } from '@opentelemetry/api'
import type { ObservedFacts, ServiceFigures } from '@parley/mcp'

import { secondBuckets } from './buckets.ts'
import type { MetricNames } from './known-names.ts'
import { addFacts, createTotals } from './totals.ts'

/** What is counted on one side. */
export interface SideInstruments {
  /** Asked for whenever figures are collected: to count costs nothing. */
  running: number
  /** A request has ended. */
  ended(request: EndedRequest): void
}

/** What figures have of a request. */
export interface EndedRequest {
  readonly names: MetricNames
  readonly revision: string | undefined
  readonly seconds: number
  readonly failure: Attributes | undefined
  readonly facts: ObservedFacts | undefined
}

/** All instruments of one meter. */
export interface Instruments {
  readonly server: SideInstruments
  readonly client: SideInstruments
  /** A service whose figures are told until this is disposed. */
  watch(figures: () => ServiceFigures): Disposable
}

export function createInstruments(meter: Meter): Instruments {
  const services = new Set<() => ServiceFigures>()
  let hasServed = false
  for (const { name, unit, description, of } of serviceFigures) {
    meter
      .createObservableUpDownCounter(`mcp.server.${name}`, { unit, description })
      .addCallback((result) => {
        if (!hasServed) return // over stdio there is none
        let sum = 0
        for (const figures of services) sum += of(figures())
        result.observe(sum)
      })
  }
  return {
    server: createSide(meter, 'server'),
    client: createSide(meter, 'client'),
    watch(figures) {
      hasServed = true
      services.add(figures)
      return { [Symbol.dispose]: () => void services.delete(figures) }
    },
  }
}

const serviceFigures = [
  {
    name: 'sessions',
    unit: '{session}',
    description: 'Sessions that this process has over HTTP',
    of: ({ sessions }: ServiceFigures) => sessions,
  },
  {
    name: 'streams',
    unit: '{stream}',
    description: 'Event streams that somebody reads',
    of: ({ streams }: ServiceFigures) => streams,
  },
  {
    name: 'held_bytes',
    unit: 'By',
    description: 'Bytes that callers make this process hold',
    of: ({ heldBytes }: ServiceFigures) => heldBytes,
  },
] as const

function createSide(meter: Meter, side: 'server' | 'client'): SideInstruments {
  const durations = meter.createHistogram(`mcp.${side}.operation.duration`, {
    unit: 's',
    description: `How long requests take, as the ${side} sees it`,
    advice: { explicitBucketBoundaries: secondBuckets },
  })
  const totals = createTotals(meter, side)
  const counted: SideInstruments = {
    running: 0,
    ended({ names, revision, seconds, failure, facts }) {
      const total = totals.of(names, revision)
      const { attributes } = total
      durations.record(seconds, failure ? { ...attributes, ...failure } : attributes)
      if (facts) addFacts(total, facts)
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
