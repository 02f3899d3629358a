import { type RawMessage, type Transport, OutgoingMessage } from '../rpc/transport.ts'

/** A promise of a transport, checked on both ends of a fresh channel. */
export interface ContractCase {
  readonly name: string
  check(left: Transport, right: Transport): Promise<void>
}

/** A message with a number, so that order and loss show. */
export function numbered(number: number, text = ''): object {
  return { jsonrpc: '2.0', method: 'notifications/contract', params: { number, text } }
}

/** Reads the messages that arrive at one end, as JSON values in any transport. */
export interface Reading {
  readonly received: readonly unknown[]
  /** Resolves when that many have arrived; throws if the channel ends before. */
  until(count: number): Promise<void>
  /** Resolves when the channel has ended. */
  readonly ended: Promise<void>
}

/** Starts reading by pulling from `messages`. */
export function readMessages({ messages }: Transport): Reading {
  const reading = createReading()
  async function read(): Promise<void> {
    for await (const message of messages) reading.add(message)
  }
  read().then(() => reading.end(), reading.end)
  return reading
}

/** Starts reading by `receive`; `onMessage` may return a promise to hold back what follows. */
export function receiveMessages(
  transport: Transport,
  onMessage: () => Promise<void> | void = () => {},
): Reading & { readonly ends: () => number } {
  const reading = createReading()
  let ends = 0
  transport.receive?.({
    message(message) {
      reading.add(message)
      return onMessage()
    },
    end(error) {
      ends += 1
      reading.end(error)
    },
  })
  return { ...reading, ends: () => ends }
}

/** Waits for room if the transport asks for it. */
export async function sendAll(
  transport: Transport,
  messages: readonly RawMessage[],
): Promise<void> {
  for (const message of messages) {
    const drained = transport.send(new OutgoingMessage(message))
    if (drained) await drained
  }
}

/** Throws with both sides when they differ as JSON. */
export function assertSame(actual: unknown, expected: unknown, what: string): void {
  const [seen, wanted] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (seen !== wanted) throw new Error(`${what}: expected ${excerpt(wanted)}, got ${excerpt(seen)}`)
}

/** Throws unless the claim holds. */
export function assertThat(claim: boolean, what: string): void {
  if (!claim) throw new Error(what)
}

function excerpt(text: string | undefined): string {
  return text !== undefined && text.length > 300 ? `${text.slice(0, 300)}…` : String(text)
}

function createReading() {
  const received: unknown[] = []
  let waiting: (() => void)[] = []
  let ending: { readonly error: unknown } | undefined
  let endRead = (): void => {}
  let failRead = (_: unknown): void => {}
  const ended = new Promise<void>((resolve, reject) => {
    endRead = resolve
    failRead = reject
  })
  ended.catch(() => {}) // reported by whoever awaits it

  function wake(): void {
    const woken = waiting
    waiting = []
    for (const next of woken) next()
  }

  return {
    received,
    ended,
    add(message: unknown): void {
      received.push(typeof message === 'string' ? JSON.parse(message) : message)
      wake()
    },
    end(error?: unknown): void {
      ending = { error }
      if (error === undefined) endRead()
      else failRead(error)
      wake()
    },
    async until(count: number): Promise<void> {
      while (received.length < count) {
        if (ending) {
          const message = `ended after ${received.length} of ${count} messages`
          throw new Error(message, { cause: ending.error })
        }
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
  }
}
