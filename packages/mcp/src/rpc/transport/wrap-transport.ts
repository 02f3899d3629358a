import type { MessageSink, Transport } from '../transport.ts'
import { iterateMessages, receiveMessages } from './receive-messages.ts'

/** What a wrapper does differently. Everything left out is passed on to the wrapped transport. */
export interface TransportChanges {
  /** Called once, with the receiver: returns the members of its sink to replace. */
  readonly sink?: (sink: MessageSink) => Partial<MessageSink>
  /** Replaces sending; call the wrapped transport's `send` to pass a message on. */
  readonly send?: Transport['send']
  /** Replaces closing; call the wrapped transport's `close` to end it. */
  readonly close?: () => Promise<void>
}

/** A transport around another one. Use this for every wrapper: it passes on the optional members too. */
export function wrapTransport(transport: Transport, changes: TransportChanges): Transport {
  function receive(sink: MessageSink): void {
    receiveMessages(transport, {
      message: (message) => sink.message(message),
      fail: (id, error) => sink.fail?.(id, error),
      end: (error) => sink.end(error),
      ...changes.sink?.(sink),
    })
  }

  return {
    ...(transport.peer !== undefined && { peer: transport.peer }),
    get kind() {
      return transport.kind ?? 'custom' // read each time: HTTP may fall back to SSE
    },
    messages: iterateMessages(receive),
    receive,
    send: changes.send ?? ((message) => transport.send(message)),
    flush: () => transport.flush?.(),
    [Symbol.asyncDispose]: async () => {
      await (changes.close ? changes.close() : transport[Symbol.asyncDispose]())
    },
  }
}
