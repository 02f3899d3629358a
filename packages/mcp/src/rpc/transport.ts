/**
 * The channel of messages that everything else is built on, and what implementations of it share.
 *
 * `Transport` is the interface for users who bring their own; `OutgoingMessage` is a message on its way out, written as JSON at most
 * once; `wrapTransport` puts a layer around another transport. Framing, flow control and closing belong to the implementations in
 * `transport/`; ids, methods and time limits belong to `Connection`.
 */
import type { RpcError } from './errors/rpc-error.ts'
import type { PreparedResponse } from './json/json-text.ts'
import type { RequestId } from './message.ts'
import type { Traffic } from './observe-request.ts'

/** A JSON-RPC message as text or as an object. A transport delivers whichever it has. */
export type RawMessage = string | object

/** One ordered, message-shaped channel to one peer. Knows nothing of methods or ids. */
export interface Transport extends AsyncDisposable {
  /**
   * In arrival order, read once. Ends when the peer closes, throws when the channel breaks. An `RpcError` among the
   * messages stands for something that arrived but could not be taken, such as a line over the size limit; it is
   * answered and reading goes on. Its `cause` may be the message as far as it could be read, so that whoever waits for
   * an answer, on either side, is told.
   */
  readonly messages: AsyncIterable<RawMessage | RpcError>
  /**
   * Writes `message.text`, or passes `message.raw` on where objects can travel. Returns nothing, or a promise that
   * resolves when there is room for more. Rejects only if the channel is broken or closed. Throws at once for an object
   * that has no JSON, and stays usable.
   */
  send(message: OutgoingMessage): Promise<void> | void
  /** Writes now what was sent in this turn, where it would wait for the turn's end. */
  flush?(): void
  /** For errors and traces: a command, an address. Never a credential. */
  readonly peer?: string
  /** The value of `client.negotiated.transport`. @defaultValue 'custom' */
  readonly kind?: TransportKind
  /** The same as `messages` without a promise per message; when present it is used instead, once. */
  receive?(sink: MessageSink): void
}

/** The kind of transport that carries messages. */
export type TransportKind = 'stdio' | 'http' | 'sse' | 'websocket' | 'memory' | 'custom'

/** Where a pushing transport delivers. */
export interface MessageSink {
  /** A returned promise means: deliver nothing more until it resolves. Never throws or rejects. */
  message(message: RawMessage | RpcError): Promise<void> | void
  /**
   * One request will have no answer, and the channel goes on: over HTTP each request can fail by itself. Ignored when it
   * was answered already.
   */
  fail?(id: RequestId, error: unknown): void
  /** Exactly once, after the last message; with an error if the channel broke. */
  end(error?: unknown): void
}

/**
 * A message on its way out, as text and as a value. The one that is missing is made when it is first read, so that a
 * message is written as JSON at most once. A class, because every message sent makes one.
 */
export class OutgoingMessage {
  /** The message as it was passed. Text need not be JSON: the receiver decides what to do with it. */
  readonly raw: RawMessage
  /** A response whose result was written before: its text is JSON without line breaks, and it has its bytes too. */
  readonly prepared: PreparedResponse | undefined
  /** Set for a request that is watched. A transport that knows when it leaves takes it, and tells it. */
  traffic: Traffic | undefined
  /** Its JSON if there is some already: a message that is passed on as an object has none. */
  written: string | undefined
  private parsed: unknown

  /** Takes an object or its JSON text; `prepared` if that is the text of a prepared response. */
  constructor(raw: RawMessage, traffic?: Traffic, prepared?: PreparedResponse) {
    this.raw = raw
    this.prepared = prepared
    this.traffic = traffic
    this.written = typeof raw === 'string' ? raw : undefined
    this.parsed = undefined
  }

  /** Its JSON. Throws for an object that has none. */
  get text(): string {
    return (this.written ??= JSON.stringify(this.raw))
  }

  /** A JSON-RPC object, or an array of them; undefined for text that is not JSON. */
  get value(): unknown {
    if (typeof this.raw !== 'string') return this.raw
    this.parsed ??= parse(this.raw)
    return this.parsed
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // sent as it is: the receiver answers it
  }
}

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
      const drained = sink.message(message)
      if (drained) await drained
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
  let freeCapacity = (): void => {}

  receive({
    message(message) {
      arrived.push(message)
      wake()
      return new Promise<void>((resolve) => (freeCapacity = resolve))
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
      freeCapacity()
    } else if (ending) {
      if ('error' in ending) throw ending.error
      return
    } else {
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
}

/** The behaviour that a wrapper changes. Everything left out is passed on to the wrapped transport. */
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
