import { createServer, request as openRequest } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy that passes an answer on when it has all of it, head included. */
export interface BufferingProxy extends AsyncDisposable {
  /** An address of the server, as it is reached through the proxy. */
  through(url: URL): string
  /** Answers whose end has not come. */
  readonly waiting: number
}

export async function openBufferingProxy(target: URL): Promise<BufferingProxy> {
  let waiting = 0
  const server = createServer((request, response) => {
    const { method, url, headers } = request
    const { hostname, port } = target
    const forwarded = openRequest(
      { hostname, port, method, path: url, headers, agent: false },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', () => response.destroy())
        answer.on('end', () => {
          const body = Buffer.concat(chunks)
          const { connection: _, 'transfer-encoding': __, ...kept } = answer.headers
          response.writeHead(answer.statusCode ?? 502, { ...kept, 'content-length': body.length })
          response.end(body)
        })
      },
    )
    waiting += 1
    forwarded.on('error', () => response.destroy())
    response.once('close', () => {
      waiting -= 1
      forwarded.destroy()
    })
    request.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server

  return {
    through(url) {
      const other = new URL(url)
      other.port = String(port)
      return other.href
    },
    get waiting() {
      return waiting
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
