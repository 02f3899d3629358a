import type { Attributes, Span } from '@opentelemetry/api'
import type { RequestMetrics, ObservedRequest, ObservedOutcome } from '@parley/mcp'

import type { RequestKind } from './request-kinds.ts'
import { withoutCredentials } from './secrets.ts'

// Names of the semantic conventions for MCP, which are in development: docs/telemetry.md says which ones are used.

/** What a request is about: low in number, so that it may stand in the name of a span and in metrics. */
export function targetOf({ method, params }: ObservedRequest): string | undefined {
  const isNamed = method === 'tools/call' || method === 'prompts/get'
  const name = params['name']
  return isNamed && typeof name === 'string' ? name.slice(0, maxNameLength) : undefined
}

/** Of spans and metrics alike. In the order of their names: a histogram sorts them for every value. */
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

/** What a span begins with, and samplers may go by. Not to be changed: requests share it. */
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

/** What tells one request from the others of its kind. One by one: a span looks at what it begins with three times. */
export function identify(span: Span, { id, sessionId }: ObservedRequest): void {
  if (id !== undefined) span.setAttribute('jsonrpc.request.id', String(id))
  if (sessionId !== undefined) span.setAttribute('mcp.session.id', sessionId)
}

/** What is known when the request has ended. */
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

/** What metrics may call a request: callers can make up names, and each would be a figure of its own for ever. */
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
