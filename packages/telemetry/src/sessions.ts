import type { Attributes, Meter } from '@opentelemetry/api'
import type { ObservedSession, RequestObserver } from '@parley/mcp'

import { addressOf } from './attributes.ts'
import { secondBuckets } from './instruments.ts'
import { endingOf } from './outcome.ts'

/** Counts how long sessions last, on both sides. */
export function createSessionWatch(meter: Meter): NonNullable<RequestObserver['watchSession']> {
  const durations = { server: durationsOf('server'), client: durationsOf('client') }

  function durationsOf(side: ObservedSession['side']) {
    return meter.createHistogram(`mcp.${side}.session.duration`, {
      unit: 's',
      description: sessionsLast[side],
      advice: { explicitBucketBoundaries: secondBuckets },
    })
  }

  return (session) => {
    const startedAt = performance.now()
    return (reason) => {
      const seconds = (performance.now() - startedAt) / 1_000
      durations[session.side].record(seconds, attributesOf(session, typeOf(reason)))
    }
  }
}

/** The description of the metrics about sessions. */
export const sessionsLast = {
  server: 'How long sessions last, as the server sees it',
  client: 'How long sessions last, as the client sees it',
} as const

function attributesOf(session: ObservedSession, type: string | undefined): Attributes {
  const { revision, transport, peer } = session
  return {
    'mcp.protocol.version': revision,
    ...(peer !== undefined && addressOf(peer)),
    ...(transport !== undefined && networks[transport]),
    ...(type !== undefined && { 'error.type': type }),
  }
}

/** `error.type` of what has ended a session, if it is an error. What is none of ours has broken its connection. */
export function typeOf(reason: unknown): string | undefined {
  if (reason === undefined) return undefined
  const { type = '_OTHER' } = endingOf({ kind: 'error', error: reason })
  if (orderly.has(type)) return undefined
  return type === '_OTHER' ? 'connection_lost' : type
}

/** Codes of reasons for which our side closes a session. */
const orderly: ReadonlySet<string> = new Set(['closed', 'draining', 'overloaded'])

const http: Attributes = { 'network.transport': 'tcp', 'network.protocol.name': 'http' }

const networks: {
  readonly [Kind in NonNullable<ObservedSession['transport']>]: Attributes | undefined
} = {
  stdio: { 'network.transport': 'pipe' },
  http,
  sse: http,
  websocket: { 'network.transport': 'tcp', 'network.protocol.name': 'websocket' },
  memory: undefined,
  custom: undefined,
}
