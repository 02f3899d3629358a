import { type MessageSink, OutgoingMessage, type RawMessage, type Transport } from '@parley/mcp'

/** Any JSON-RPC message, loosely, for assertions. */
export interface Raw {
  readonly jsonrpc?: string
  readonly id?: string | number | null
  readonly method?: string
  readonly params?: Record<string, unknown>
  readonly result?: Record<string, unknown>
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** One end of a transport, written and read by hand. */
export interface RawChannel {
  /** Everything that arrived, in order. */
  readonly received: readonly Raw[]
  /** Text goes out as it is, also what is no JSON; objects as JSON. */
  send(message: unknown): void
  /** The next message not read yet that fits; waits for it. */
  next(fits?: (message: Raw) => boolean): Promise<Raw>
  /** Resolves when nothing has arrived for a moment; gives what came meanwhile and was not read. */
  quiet(): Promise<readonly Raw[]>
  readonly ended: Promise<unknown>
  close(): Promise<void>
}

export function openRawChannel(transport: Transport): RawChannel {
  const received: Raw[] = []
  const unread: Raw[] = []
  const waiting: {
    fits: (message: Raw) => boolean
    resolve: (message: Raw) => void
    reject: (error: unknown) => void
  }[] = []
  const turns = transport.kind === 'http' ? 20 : 5 // sockets take their time
  let end: (error: unknown) => void
  const ended = new Promise<unknown>((resolve) => (end = resolve))

  const sink: MessageSink = {
    message(raw) {
      const message = (typeof raw === 'string' ? JSON.parse(raw) : raw) as Raw
      received.push(message)
      const index = waiting.findIndex(({ fits }) => fits(message))
      if (index === -1) unread.push(message)
      else waiting.splice(index, 1)[0]?.resolve(message)
    },
    end(error) {
      for (const { reject } of waiting) reject(new Error('the channel ended', { cause: error }))
      end(error)
    },
  }
  if (transport.receive) transport.receive(sink)
  else void pull(transport, sink)

  return {
    received,
    ended,
    send: (message) => void transport.send(new OutgoingMessage(message as RawMessage)),
    next(fits = () => true) {
      const index = unread.findIndex(fits)
      if (index !== -1) return Promise.resolve(unread.splice(index, 1)[0] as Raw)
      return new Promise((resolve, reject) => waiting.push({ fits, resolve, reject }))
    },
    async quiet() {
      let count = -1
      while (count !== received.length) {
        count = received.length
        for (let turn = 0; turn < turns; turn += 1)
          await new Promise((resolve) => setTimeout(resolve, 1))
      }
      return unread.splice(0)
    },
    close: async () => transport[Symbol.asyncDispose](),
  }
}

async function pull({ messages }: Transport, sink: MessageSink): Promise<void> {
  for await (const message of messages) await sink.message(message)
  sink.end()
}
