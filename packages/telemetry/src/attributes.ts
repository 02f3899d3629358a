import type { Attributes } from '@opentelemetry/api'
import type { ObservedRequest } from '@parley/mcp'

import type { MetricNames } from './known-names.ts'

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
  return {
    'mcp.method.name': method,
    ...(revision !== undefined && { 'mcp.protocol.version': revision }),
    ...(method === 'tools/call' && { 'gen_ai.operation.name': 'execute_tool' }),
    ...(target !== undefined && {
      [method === 'prompts/get' ? 'gen_ai.prompt.name' : 'gen_ai.tool.name']: target,
    }),
  }
}

/** Of spans alone: there are too many of these for metrics. */
export function spanAttributes({
  id,
  sessionId,
  header,
  peer,
  params,
}: ObservedRequest): Attributes {
  const { uri } = params
  return {
    ...(id !== undefined && { 'jsonrpc.request.id': String(id) }),
    ...(sessionId !== undefined && { 'mcp.session.id': sessionId }),
    ...(typeof uri === 'string' && { 'mcp.resource.uri': uri.slice(0, longestName) }),
    ...(header !== undefined && { 'network.protocol.name': 'http', 'network.transport': 'tcp' }),
    ...(peer !== undefined && addressOf(peer)),
  }
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
