import type { Attributes } from '@opentelemetry/api'
import type { ObservedFacts, ObservedRequest } from '@parley/mcp'

import type { MetricNames } from './known-names.ts'
import { withoutCredentials } from './secrets.ts'

// Names of the semantic conventions for MCP, which are in development: docs/telemetry.md says which ones are used.

/** What a request is about: low in number, so that it may stand in the name of a span and in metrics. */
export function targetOf({ method, params }: ObservedRequest): string | undefined {
  const isNamed = method === 'tools/call' || method === 'prompts/get'
  const name = params['name']
  return isNamed && typeof name === 'string' ? name.slice(0, longestName) : undefined
}

/** Of spans and metrics alike. */
export function commonAttributes(
  { method, target }: MetricNames,
  revision: string | undefined,
): Attributes {
  const attributes: Attributes = { 'mcp.method.name': method }
  if (revision !== undefined) attributes['mcp.protocol.version'] = revision
  if (method === 'tools/call') attributes['gen_ai.operation.name'] = 'execute_tool'
  if (target !== undefined) {
    attributes[method === 'prompts/get' ? 'gen_ai.prompt.name' : 'gen_ai.tool.name'] = target
  }
  return attributes
}

/** Adds what is of spans alone: there is too much of it for metrics. */
export function addSpanAttributes(attributes: Attributes, request: ObservedRequest): Attributes {
  const { id, sessionId, header, peer, side, server } = request
  const { uri } = request.params
  if (id !== undefined) attributes['jsonrpc.request.id'] = String(id)
  if (sessionId !== undefined) attributes['mcp.session.id'] = sessionId
  if (typeof uri === 'string') attributes['mcp.resource.uri'] = withoutCredentials(uri, longestName)
  if (side === 'client' && server !== undefined) {
    attributes['mcp.server.name'] = server.name.slice(0, longestName)
  }
  if (header !== undefined) {
    attributes['network.protocol.name'] = 'http'
    attributes['network.transport'] = 'tcp'
  }
  return peer === undefined ? attributes : Object.assign(attributes, addressOf(peer))
}

/** What is known when the request has ended. */
export function factAttributes(facts: ObservedFacts): Attributes {
  const { requestBytes, responseBytes, waitedMs, resends = 0 } = facts
  const attributes: Attributes = {}
  if (requestBytes !== undefined) attributes['mcp.request.size'] = requestBytes
  if (responseBytes !== undefined) attributes['mcp.response.size'] = responseBytes
  if (waitedMs !== undefined) attributes['mcp.request.wait_duration'] = waitedMs / 1_000
  if (resends > 0) attributes['mcp.request.resend_count'] = resends
  return attributes
}

/** The peer of a client is an address, or the name of a program. */
function addressOf(peer: string): Attributes {
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
const longestName = 256
