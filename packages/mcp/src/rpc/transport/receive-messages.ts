import type { RpcError } from '../errors/rpc-error.ts'
import type { MessageSink, RawMessage, Transport } from '../transport.ts'

/** A transport's messages are received once. */
export function alreadyReceived(): TypeError {
  return new TypeError('these messages are already being received')
}

/** Delivers every message of a transport to a sink, whichever way of reading the transport has. */
export function receiveMessages(transport: Transport, sink: MessageSink): void {
  if (transport.receive) transport.receive(sink)
  else void pull(transport, sink)
}

async function pull({ messages }: Transport, sink: MessageSink): Promise<void> {
  try {
    for await (const message of messages) {
      const room = sink.message(message)
      if (room) await room
    }
    sink.end()
  } catch (error) {
    sink.end(error)
  }
}

/** `messages` of a transport that has `receive`. The next message is taken when the reader asks for it. */
export async function* iterateMessages(
  receive: (sink: MessageSink) => void,
): AsyncGenerator<RawMessage | RpcError> {
  const arrived: (RawMessage | RpcError)[] = []
  let ending: { readonly error?: unknown } | undefined
  let wake = (): void => {}
  let makeRoom = (): void => {}

  receive({
    message(message) {
      arrived.push(message)
      wake()
      return new Promise<void>((resolve) => (makeRoom = resolve))
    },
    end(error) {
      ending = error === undefined ? {} : { error }
      wake()
    },
  })

  for (;;) {
    const message = arrived.shift()
    if (message !== undefined) {
      yield message
      makeRoom()
    } else if (ending) {
      if ('error' in ending) throw ending.error
      return
    } else {
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
}
