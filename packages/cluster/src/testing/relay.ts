import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** The relay's handling of bytes. */
type State = 'open' | 'cut' | 'stalled'

/** A network between one program and one server that can be broken: connect to `port` instead of the server's. */
export interface Relay extends AsyncDisposable {
  /** Where to connect instead. */
  readonly port: number
  /** Ends all connections and refuses new ones. */
  cut(): void
  /** Holds back all bytes, in both directions. Nobody is told. */
  stall(): void
  /** Forwards bytes again; delayed ones arrive. */
  resume(): void
  /** Every piece arrives so much later, in order. */
  delay(ms: number): void
  /** Connections that are opened from now on lead to this port. */
  lead(port: number): void
}

/** Passes on what comes to a port of loopback. */
export async function openRelay(to: number): Promise<Relay> {
  let state: State = 'open'
  let delayMs = 0
  let target = to
  const sockets = new Set<Socket>()
  const waiting = new Set<() => void>()

  const server = createServer((near) => {
    if (state === 'cut') return void near.resetAndDestroy()
    const far = connect(target, '127.0.0.1')
    join(near, far)
    join(far, near)
  })

  /** One direction of a connection. */
  function join(from: Socket, into: Socket): void {
    sockets.add(from)
    from.setNoDelay(true)
    let last = Promise.resolve()
    from.on('data', (chunk) => {
      const isFast = state === 'open' && delayMs === 0
      from.pause()
      last = last
        .then(() => (isFast ? undefined : later()))
        .then(
          () =>
            new Promise<void>((resolve) => {
              if (into.destroyed) return resolve()
              into.write(chunk, () => resolve())
            }),
        )
        .then(() => void from.resume())
    })
    from.on('error', () => undefined) // its end is what counts
    from.once('end', () => void last.then(() => into.end()))
    from.once('close', () => {
      sockets.delete(from)
      void last.then(() => into.destroySoon())
    })
  }

  /** Resolves when this piece may arrive. */
  async function later(): Promise<void> {
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
    while (state === 'stalled') await new Promise<void>((resolve) => waiting.add(resolve))
  }

  function release(): void {
    for (const go of waiting) go()
    waiting.clear()
  }

  function endAll(): void {
    for (const socket of sockets) socket.resetAndDestroy()
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    port,
    cut() {
      state = 'cut'
      endAll()
      release()
    },
    stall() {
      state = 'stalled'
    },
    resume() {
      state = 'open'
      release()
    },
    delay(ms) {
      delayMs = ms
    },
    lead(other) {
      target = other
    },
    async [Symbol.asyncDispose]() {
      state = 'cut'
      endAll()
      release()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
