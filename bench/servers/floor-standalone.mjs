// The hand-written server in revision 2026-07-28: no handshake, every request says who sends it and headers repeat it.
import { answerMessage } from './floor.mjs'

const prefix = 'io.modelcontextprotocol/'
const version = '2026-07-28'
const meta = JSON.stringify({ [`${prefix}serverInfo`]: { name: 'floor', version: '1.0.0' } })

/** True for a request that names its revision. */
export function isStandalone({ params }) {
  return params?._meta?.[`${prefix}protocolVersion`] !== undefined
}

/** The reply to a request whose headers repeat its revision, method and name. */
export function answerStandalone({ id, method, params }, headers) {
  const isRight =
    params._meta[`${prefix}protocolVersion`] === version &&
    typeof params._meta[`${prefix}clientCapabilities`] === 'object' &&
    headers['mcp-protocol-version'] === version &&
    headers['mcp-method'] === method &&
    headers['mcp-name'] === params.name
  if (!isRight) return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32020, message: '' } })
  // The result is the last member, and an object.
  const text = answerMessage({ id, method, params })
  return `${text.slice(0, -2)},"resultType":"complete","_meta":${meta}}}`
}
