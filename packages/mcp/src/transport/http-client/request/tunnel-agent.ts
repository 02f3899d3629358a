import { request as requestPlain } from 'node:http'
import { Agent as SecureAgent, request as requestSecure, type AgentOptions } from 'node:https'
import type { Duplex } from 'node:stream'
import { connect as connectTls, type ConnectionOptions } from 'node:tls'

import { proxyAuthorization } from './proxy.ts'

type Created = (error: Error | null, socket?: Duplex) => void

/** An agent for `https:` addresses that reaches them through a proxy, by `CONNECT`. */
export function createTunnelAgent(proxy: URL, options: AgentOptions): SecureAgent {
  const agent = new SecureAgent(options)
  const createConnection = (target: ConnectionOptions, created: Created): void => {
    openTunnel(proxy, target, created)
  }
  // Node calls this member for every new socket and takes the answer by the callback.
  return Object.assign(agent, { createConnection })
}

function openTunnel(proxy: URL, target: ConnectionOptions, created: Created): void {
  const authority = `${target.host ?? ''}:${target.port ?? 443}`
  const authorization = proxyAuthorization(proxy)
  const send = proxy.protocol === 'https:' ? requestSecure : requestPlain
  const request = send({
    hostname: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port,
    method: 'CONNECT',
    path: authority,
    agent: false,
    headers: {
      host: authority,
      ...(authorization !== undefined && { 'proxy-authorization': authorization }),
    },
  })
  request.once('error', created)
  request.once('connect', ({ statusCode }, socket) => {
    if (statusCode !== 200) {
      socket.destroy()
      return created(new Error(`the proxy ${proxy.host} answered ${statusCode} to CONNECT`))
    }
    const secure = connectTls({ ...target, socket, servername: target.servername ?? target.host })
    secure.once('error', created)
    secure.once('secureConnect', () => {
      secure.off('error', created)
      created(null, secure)
    })
  })
  request.end()
}
