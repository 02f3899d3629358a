import type { RpcError } from './errors/rpc-error.ts'
import type { RequestId } from './message.ts'
import type { OutgoingMessage } from './transport/outgoing-message.ts'

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
  /** What `client.negotiated.transport` says. @defaultValue 'custom' */
  readonly kind?: TransportKind
  /** The same as `messages` without a promise per message; when present it is used instead, once. */
  receive?(sink: MessageSink): void
}

/** What carries messages. */
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
