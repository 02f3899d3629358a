import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A way to a server that can be cut. */
export interface CuttableLink extends Disposable {
  /** The same address, by this way. */
  readonly url: URL
  /** Breaks all connections there are; new ones work. */
  cut(): void
}

export async function createCuttableLink(to: URL): Promise<CuttableLink> {
  const open = new Set<Socket>()
  const server = createServer((inward) => {
    const outward = connect(Number(to.port), to.hostname)
    for (const [one, other] of [
      [inward, outward],
      [outward, inward],
    ] as const) {
      open.add(one)
      one.pipe(other)
      one.on('error', () => undefined) // told by close
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server
  const url = new URL(to)
  url.port = String(port)
  const cut = (): void => {
    for (const socket of open) socket.destroy()
  }
  return {
    url,
    cut,
    [Symbol.dispose]() {
      server.close()
      cut()
    },
  }
}
