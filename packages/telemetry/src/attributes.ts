import type { Attributes, Span } from '@opentelemetry/api'
import type { RequestMetrics, ObservedRequest, ObservedOutcome } from '@parley/mcp'

import type { RequestKind } from './request-kinds.ts'
import { withoutCredentials } from './secrets.ts'

// Names of the semantic conventions for MCP, which are in development: docs/telemetry.md says which ones are used.

/** Returns the target of a request: low in number, so that it may be in the name of a span and in metrics. */
export function targetOf({ method, params }: ObservedRequest): string | undefined {
  const isNamed = method === 'tools/call' || method === 'prompts/get'
  const name = params['name']
  return isNamed && typeof name === 'string' ? name.slice(0, maxNameLength) : undefined
}

/** Returns attributes of spans and metrics, in the order of their names: a histogram sorts them for every value. */
export function commonAttributes(
  { method, target }: MetricNames,
  revision: string | undefined,
): Attributes {
  const attributes: Attributes = {}
  if (method === 'tools/call') attributes['gen_ai.operation.name'] = 'execute_tool'
  if (target !== undefined) {
    attributes[method === 'prompts/get' ? 'gen_ai.prompt.name' : 'gen_ai.tool.name'] = target
  }
  attributes['mcp.method.name'] = method
  if (revision !== undefined) attributes['mcp.protocol.version'] = revision
  return attributes
}

/** Returns the initial attributes of a span, which samplers may use. Not to be changed: requests share them. */
export function firstAttributes(request: ObservedRequest, kind: RequestKind): Attributes {
  const { side, server, header, peer } = request
  const { uri } = request.params
  const shared = header === undefined ? kind.attributes : (kind.overHttp ??= overHttp(kind))
  if (side === 'server' && peer === undefined && typeof uri !== 'string') return shared
  const attributes: Attributes = { ...shared }
  if (typeof uri === 'string')
    attributes['mcp.resource.uri'] = withoutCredentials(uri, maxNameLength)
  if (side === 'client' && server !== undefined) {
    attributes['mcp.server.name'] = server.name.slice(0, maxNameLength)
  }
  return peer === undefined ? attributes : Object.assign(attributes, addressOf(peer))
}

function overHttp({ attributes }: RequestKind): Attributes {
  return { ...attributes, 'network.protocol.name': 'http', 'network.transport': 'tcp' }
}

/** Adds the attributes that identify one request. One by one: a span copies its initial attributes three times. */
export function identify(span: Span, { id, sessionId }: ObservedRequest): void {
  if (id !== undefined) span.setAttribute('jsonrpc.request.id', String(id))
  if (sessionId !== undefined) span.setAttribute('mcp.session.id', sessionId)
}

/** Adds the attributes known at the end of a request. */
export function recordMetrics(span: Span, metrics: RequestMetrics): void {
  const { requestBytes, responseBytes, waitedMs, resends = 0 } = metrics
  if (requestBytes !== undefined) span.setAttribute('mcp.request.size', requestBytes)
  if (responseBytes !== undefined) span.setAttribute('mcp.response.size', responseBytes)
  if (waitedMs !== undefined) span.setAttribute('mcp.request.wait_duration', waitedMs / 1_000)
  if (resends > 0) span.setAttribute('mcp.request.resend_count', resends)
}

/** The peer of a client is an address, or the name of a program. */
export function addressOf(peer: string): Attributes {
  const url = /^(https?|wss?):\/\/(\[[\da-f:.]+\]|[^/:?#@]+)(?::(\d+))?(?:[/?#]|$)/i.exec(peer)
  if (url === null) return {}
  const [, scheme = '', host = '', port] = url
  const usual = /^(https|wss)$/i.test(scheme) ? 443 : 80
  return {
    'network.transport': 'tcp',
    'server.address': host,
    'server.port': port === undefined ? usual : Number(port),
  }
}

/** Names come from the other side. */
const maxNameLength = 256

/** The names that metrics may use: callers can make up names, and each would be a metric of its own for ever. */
export interface MetricNames {
  readonly method: string
  /** The tool or prompt. */
  readonly target?: string | undefined
}

/** Names that were answered at least once; of others only that there were some. */
export function createLimitedNames(): (
  request: Pick<ObservedRequest, 'method'>,
  target: string | undefined,
  outcome: ObservedOutcome,
) => MetricNames {
  const names = new Set<string>()

  function isKnown(name: string, isCompleted: boolean): boolean {
    if (names.has(name)) return true
    if (!isCompleted || names.size >= maxNames) return false
    names.add(name)
    return true
  }

  return ({ method }, target, { kind }) => {
    const isCompleted = kind === 'result'
    if (!isKnown(method, isCompleted)) return { method: '_OTHER' }
    if (target === undefined || !isKnown(`${method} ${target}`, isCompleted)) return { method }
    return { method, target }
  }
}

const maxNames = 1_000
