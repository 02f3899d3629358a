import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A TCP relay between a client and a server, on which connections can fail. */
export interface Relay extends AsyncDisposable {
  /** An address of the server, as it is reached through the relay. */
  through(url: URL): string
  /** Open connections of clients, the oldest first. */
  readonly connections: ReadonlySet<Connection>
  /** Called with each new connection before a byte has passed. */
  onConnection: ((connection: Connection) => void) | undefined
  /** Every connection there is falls silent, in both directions, and stays open. New ones work. */
  freeze(): void
}

export interface Connection {
  /** It was, as it was told. */
  readonly isCut: boolean
  /** Nothing passes any more, and nobody is told. */
  freeze(): void
  /** Closes the connection after so many more bytes have reached the client. */
  cutAfterReceived(bytes: number): void
  /** Closes the connection after so many more of the client's bytes have reached the server. */
  cutAfterSent(bytes: number): void
}

export async function openRelay(target: { readonly port: string | number }): Promise<Relay> {
  const connections = new Set<Connection>()
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(target.port), '127.0.0.1')
    near.setNoDelay(true)
    far.setNoDelay(true)
    const connection = join(near, far, () => connections.delete(connection))
    connections.add(connection)
    near.once('close', () => connections.delete(connection))
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    }
    relay.onConnection?.(connection)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server

  const relay: Relay = {
    connections,
    onConnection: undefined,
    through(url) {
      const other = new URL(url)
      other.port = String(port)
      return other.href
    },
    freeze() {
      for (const connection of connections) connection.freeze()
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return relay
}

function join(near: Socket, far: Socket, onCut: () => void): Connection {
  let received = Infinity
  let sent = Infinity
  let isFrozen = false
  let isCut = false

  function pass(chunk: Buffer, to: Socket, from: Socket, allowed: number): number {
    if (allowed > 0) to.write(chunk.subarray(0, allowed))
    // After what was written has left.
    if (chunk.length >= allowed) {
      isCut = true
      onCut()
      to.end(() => from.destroy())
    }
    return Math.max(0, allowed - chunk.length)
  }

  far.on('data', (chunk: Buffer) => (received = pass(chunk, near, far, received)))
  near.on('data', (chunk: Buffer) => (sent = pass(chunk, far, near, sent)))
  for (const [socket, other] of [
    [near, far],
    [far, near],
  ] as const) {
    socket.on('error', () => undefined) // told by close
    socket.once('close', () => {
      if (!isFrozen) other.destroy()
    })
  }

  return {
    get isCut() {
      return isCut
    },
    freeze() {
      isFrozen = true
      near.pause()
      far.pause()
    },
    cutAfterReceived: (bytes) => (received = bytes),
    cutAfterSent: (bytes) => (sent = bytes),
  }
}
