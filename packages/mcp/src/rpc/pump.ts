import type { MessageSink, Transport } from './transport.ts'

/** Gives a sink what a transport without `receive` has, one after the other. */
export async function pump(transport: Transport, sink: MessageSink): Promise<void> {
  try {
    for await (const message of transport.messages) {
      const room = sink.message(message)
      if (room) await room
    }
    sink.end()
  } catch (error) {
    sink.end(error)
  }
}
