import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

import { onTestFinished } from 'vitest'

/** The address of something in front of a server that lets through what has the header `X-Key: k`. */
export async function guarded(target: string): Promise<string> {
  const server = createServer((incoming, response) => {
    if (incoming.headers['x-key'] !== 'k') return void response.writeHead(401).end()
    const { method, headers } = incoming
    const own = `127.0.0.1:${(server.address() as AddressInfo).port}` // an address, no pipe
    const host = headers.host === own ? new URL(target).host : headers.host
    const onward = request(target, { method, headers: { ...headers, host } }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    response.once('close', () => onward.destroy())
    onward.once('error', () => response.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}
