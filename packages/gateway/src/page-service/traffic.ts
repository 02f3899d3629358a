/**
 * Counts and records what passes the gateway, for the operator's page and for traces: requests by caller, server and tool, with their
 * times, and the latest messages. Everything is bounded, and secrets are masked before a message is stored.
 */

import {
  createRecorder,
  type TraceRecord,
  type TraceRecorder,
  type TraceTap,
} from '@parley/foundation/trace'
import { isRpcError, type JsonObject, type JsonValue } from '@parley/mcp'
import type { BackendOutcome, BackendCall, BackendCaller } from '@parley/mcp/internal/relay'
import { errorMessage } from '@parley/mcp/json'

import { callerOf } from '../gateway/caller.ts'
import type { GatewayObserver, Outcome } from '../gateway/observer.ts'
import { createHistory, quantile, type Counted } from './history.ts'
import type { CallerView, Metrics, HistorySpan, OfferCalls } from './protocol.ts'
import { createRates, noMetrics, type Rates } from './rates.ts'

/** The traffic of the gateway, counted and recorded. */
export interface Traffic extends GatewayObserver {
  readonly recorder: TraceRecorder
  readonly all: Rates
  /** Of all calls, by how far back. */
  readonly histories: Readonly<Record<HistorySpan, Counted>>
  /** Of one tool, prompt or resource, by the server's own name for it. */
  callsOf(upstream: string, name: string): OfferCalls | undefined
  /** At one server. */
  metricsOf(upstream: string): Metrics
  /** Those who called lately, busiest first. */
  callers(): readonly CallerView[]
}

/** Callers and servers that are counted apart; what was quiet for longest goes. */
const maxCounted = 200
/** Tools, prompts and resources that are counted apart; further ones are not. */
const mostOffers = 5_000
const maxOfferSamples = 100
/** Messages above this are kept without their content. */
const maxMessageSize = 1024 * 1024

/** It lasts as long as its connection, and says nothing about how fast anybody is. */
const standing = 'subscriptions/listen'

interface Underway {
  readonly startedAt: number
  readonly who: string
  readonly isCounted: boolean
  readonly tap: TraceTap
  readonly seq: number
  /** What went on to servers, by server: when, and as which record. */
  readonly hops: Map<
    string,
    { readonly startedAt: number; readonly seq: number; readonly offer: string | undefined }
  >
}

/** Counts and records every request of clients, and what becomes of it at servers. Secrets are masked before anybody sees them. */
export function createTraffic(options: { readonly bytes: number }): Traffic {
  const recorder = createRecorder({ bytes: options.bytes, records: 50_000 })
  const taps = new Map<string, TraceTap>()
  const underway = new WeakMap<BackendCall, Underway>()
  const all = createRates()
  const histories = {
    quarter: createHistory('quarter'),
    hour: createHistory('hour'),
    day: createHistory('day'),
  }
  const byOffer = new Map<string, { count: number; errors: number; ms: number[] }>()
  const byCaller = new Map<
    string,
    { readonly rates: Rates; readonly view: Omit<CallerView, 'metrics'> }
  >()
  const byServer = new Map<string, Rates>()

  function tapOf(connection: string): TraceTap {
    const tap = taps.get(connection) ?? recorder.tap(connection)
    if (taps.size >= maxCounted && !taps.has(connection)) taps.clear()
    taps.set(connection, tap)
    return tap
  }

  function ratesOf(upstream: string): Rates {
    const rates = byServer.get(upstream) ?? createRates()
    if (byServer.size >= maxCounted && !byServer.has(upstream)) byServer.clear()
    byServer.set(upstream, rates)
    return rates
  }

  function countedFor(caller: BackendCaller): { readonly who: string; readonly rates: Rates } {
    const view = describeCaller(caller)
    const who = `${view.name} · ${view.client}`
    const counted = byCaller.get(who)
    if (counted) return { who, rates: counted.rates }
    if (byCaller.size >= maxCounted) forgetQuietest()
    const rates = createRates()
    byCaller.set(who, { rates, view })
    return { who, rates }
  }

  function forgetQuietest(): void {
    let quietest: string | undefined
    let usedAt = Infinity
    for (const [who, { rates }] of byCaller) {
      if (rates.usedAt >= usedAt) continue
      usedAt = rates.usedAt
      quietest = who
    }
    if (quietest !== undefined) byCaller.delete(quietest)
  }

  function countOffer(offer: string, ms: number, isError: boolean): void {
    let known = byOffer.get(offer)
    if (known === undefined) {
      if (byOffer.size >= mostOffers) return
      known = { count: 0, errors: 0, ms: [] }
      byOffer.set(offer, known)
    }
    known.count += 1
    if (isError) known.errors += 1
    known.ms[known.count % maxOfferSamples] = ms
  }

  return {
    recorder,
    all,
    histories,
    callsOf(upstream, name) {
      const known = byOffer.get(offerKey(upstream, name))
      if (known === undefined) return undefined
      const sorted = known.ms.filter(Number.isFinite).toSorted((one, two) => one - two)
      return { count: known.count, errors: known.errors, p99: quantile(sorted, 0.99) }
    },
    metricsOf: (upstream) => byServer.get(upstream)?.metrics(performance.now()) ?? noMetrics,
    callers() {
      const now = performance.now()
      return [...byCaller.values()]
        .map(({ view, rates }) => ({ ...view, metrics: rates.metrics(now) }))
        .toSorted((item, two) => two.metrics.calls - item.metrics.calls)
    },
    began(call) {
      const { who, rates } = countedFor(call.caller)
      const tap = tapOf(who)
      const isCounted = call.method !== standing
      if (isCounted) {
        all.begin()
        rates.begin()
      }
      const { seq } = tap.add({
        kind: 'message',
        direction: 'out', // on both hops, what goes towards servers is out
        ...content({ jsonrpc: '2.0', id: call.id, method: call.method, params: call.params }),
        details: { hop: 'client' },
      })
      underway.set(call, {
        startedAt: performance.now(),
        who,
        isCounted,
        tap,
        seq,
        hops: new Map(),
      })
    },
    sent(call, upstream, params) {
      const existing = underway.get(call)
      if (existing === undefined) return
      ratesOf(upstream).begin()
      const { seq } = tapOf(upstream).add({
        kind: 'message',
        direction: 'out',
        parent: existing.seq,
        ...content({ jsonrpc: '2.0', id: `${existing.seq}`, method: call.method, params }),
        details: { hop: 'server' },
      })
      const offer = offerOf(call.method, params)
      existing.hops.set(upstream, {
        startedAt: performance.now(),
        seq,
        offer: offer === undefined ? undefined : offerKey(upstream, offer),
      })
    },
    returned(call, upstream, outcome) {
      const existing = underway.get(call)
      const hop = existing?.hops.get(upstream)
      if (existing === undefined || hop === undefined) return
      existing.hops.delete(upstream)
      const { message, isError } = messageOf(outcome, `${existing.seq}`)
      const ms = performance.now() - hop.startedAt
      ratesOf(upstream).end(ms, isError)
      if (hop.offer !== undefined) countOffer(hop.offer, ms, isError)
      tapOf(upstream).add({
        kind: 'message',
        direction: 'in',
        parent: hop.seq,
        ...content(message),
        details: { hop: 'server' },
      })
    },
    ended(call, outcome) {
      const existing = underway.get(call)
      if (existing === undefined) return
      underway.delete(call)
      const { message, isError } = messageOf(outcome, call.id)
      const ms = performance.now() - existing.startedAt
      if (existing.isCounted) {
        all.end(ms, isError)
        const at = performance.now()
        for (const history of Object.values(histories)) history.add(at, ms, isError)
        byCaller.get(existing.who)?.rates.end(ms, isError)
      }
      existing.tap.add({
        kind: 'message',
        direction: 'in',
        parent: existing.seq,
        ...content(message),
        details: { hop: 'client' },
      })
    },
  }
}

/** What a request is for: the name of a tool or prompt, the address of a resource. */
function offerOf(method: string, params: JsonObject | undefined): string | undefined {
  const value = method === 'resources/read' ? params?.['uri'] : params?.['name']
  const isOffer = ['tools/call', 'prompts/get', 'resources/read'].includes(method)
  return isOffer && typeof value === 'string' ? value.slice(0, 500) : undefined
}

function offerKey(upstream: string, name: string): string {
  return `${upstream}\n${name}`
}

/** Who it is, in words: what a token or a key says of its holder, and the program that it says it is. */
export function describeCaller(from: BackendCaller): Omit<CallerView, 'metrics'> {
  const { principal, isAnonymous, claims, client } = callerOf(from)
  const subject = claims['sub']
  return {
    name: isAnonymous
      ? 'anonymous'
      : typeof subject === 'string'
        ? subject.slice(0, 120)
        : principal,
    client: client ? `${client.name} ${client.version}`.slice(0, 120) : 'unknown program',
  }
}

/** A message as it is kept; one that is too large is only measured. */
function content(message: JsonObject): Pick<TraceRecord, 'message' | 'bytes'> {
  const bytes = sizeOf(message)
  if (bytes <= maxMessageSize) return { message, bytes }
  const { result: _, params: __, ...rest } = message
  return { message: { ...rest, left_out: `${bytes} bytes` }, bytes: 500 }
}

function sizeOf(message: JsonObject): number {
  try {
    return JSON.stringify(message).length
  } catch {
    return maxMessageSize + 1
  }
}

function messageOf(
  outcome: Outcome,
  id: string | number,
): { readonly message: JsonObject; readonly isError: boolean } {
  const head = { jsonrpc: '2.0', id }
  if (outcome.kind === 'answer') return answered(outcome.answer, head)
  const { error } = outcome
  const message = errorMessage(error)
  const code = isRpcError(error) ? error.wireCode : undefined
  return { message: { ...head, error: { code: code ?? -32_603, message } }, isError: true }
}

function answered(
  answer: BackendOutcome,
  head: { readonly jsonrpc: string; readonly id: string | number },
) {
  if (answer.kind === 'error') {
    const { error } = answer
    return { message: { ...head, error: error as unknown as JsonObject }, isError: true } // it goes out as JSON
  }
  const result = 'result' in answer ? (answer.result as JsonValue) : null // the same
  const isError =
    typeof result === 'object' &&
    result !== null &&
    'isError' in result &&
    result['isError'] === true
  return { message: { ...head, result } as JsonObject, isError }
}
