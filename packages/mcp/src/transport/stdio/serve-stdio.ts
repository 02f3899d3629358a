/**
 * `serveStdio()`: serves a definition on the standard streams of this process.
 *
 * Guards stdout, so that a stray `console.log` goes to stderr and does not break the protocol; ends the process when its client is
 * gone; drains on signals. Framing is done by `line-channel.ts`, the session by `serve-connection.ts`.
 */
import { finished, type Readable, type Writable } from 'node:stream'

import { systemClock } from '../../rpc/clock.ts'
import type { OnError } from '../../rpc/errors/on-error.ts'
import { waitAtMost } from '../../rpc/signals.ts'
import { type Transport, wrapTransport, iterateMessages } from '../../rpc/transport.ts'
import { definitionOf, type Server } from '../../server/server.ts'
import {
  serveTransport,
  type ServeOptions,
  type Service,
} from '../../server/sessions/serve-connection.ts'
import { openLineChannel, type LineChannel, type LineChannelOptions } from './line-channel.ts'
import { ownsProcess, type ProcessLife } from './own-process.ts'

/** How the process that started us is served. */
export interface StdioOptions extends ServeOptions {
  /** @defaultValue process.stdin */
  readonly input?: Readable | undefined
  /** @defaultValue process.stdout */
  readonly output?: Writable | undefined
  /** Send stray stdout writes to stderr and report the first with its stack. @defaultValue true */
  readonly guardStdout?: boolean | undefined
  /** Exit when the caller has gone, and on SIGTERM and SIGINT; never with streams of your own. @defaultValue true */
  readonly ownsProcess?: boolean | undefined
  /** @defaultValue 5_000 */
  readonly drainMs?: number | undefined
}

/** Serves the process that started us and owns this process's life: stdin's end drains and exits. */
export function serveStdio<App>(server: Server<App, unknown>, options: StdioOptions = {}): Service {
  const { input = process.stdin, output = process.stdout, drainMs = 5_000, ...rest } = options
  const { limits: { messageBytes, bufferedBytes } = {}, clock = systemClock } = options
  // Before the guard: the transport keeps the `write` it finds.
  const transport = createStdioTransport({
    input,
    output,
    messageBytes,
    bufferedBytes,
    peer: 'stdio',
  })
  const onError = options.onError ?? definitionOf(server).settings.onError
  const unguard = guard(output, options, onError)

  const inner = serveTransport(server, drainedAtEnd(transport, end), rest)
  let life: ProcessLife | undefined
  let isDraining = false
  const drain: Service['drain'] = ({ deadlineMs = drainMs } = {}) => {
    isDraining = true
    return inner.drain({ deadlineMs })
  }
  // For a peer that does not read either: lines it sent before would wait for ever, and the service would never end.
  finished(input, { writable: false }, () => {
    clock.setTimer(() => void end({ deadlineMs: 0 }), drainMs)
  })

  /** The peer has gone, and the process with it. A program that drained the service itself goes on. */
  function end(limit?: { readonly deadlineMs: number }): Promise<unknown> {
    if (isDraining) return drain(limit)
    const drained = drain(limit)
    life?.end()
    return drained
  }

  const service: Service = {
    drain,
    closed: inner.closed,
    [Symbol.asyncDispose]: async () => void (await drain()),
  }

  const areOurs = options.input === undefined && options.output === undefined
  if (areOurs && (options.ownsProcess ?? true)) life = ownsProcess(service)
  // A process that ends with its service keeps the guard: nothing but messages ever belongs on this stdout.
  void service.closed.then(() => {
    if (life?.isEnding !== true) unguard()
  })
  return service
}

/** A peer that has stopped sending may still read: calls in flight are finished before the channel ends. */
function drainedAtEnd(transport: Transport, drain: () => Promise<unknown>): Transport {
  return wrapTransport(transport, {
    sink: (sink) => ({ end: (error) => void drain().finally(() => sink.end(error)) }),
  })
}

function guard(output: Writable, options: StdioOptions, onError: OnError): () => void {
  if (output !== process.stdout) return () => {}
  process.stderr.on('error', () => {}) // a log nobody reads is not worth a crash
  if (options.guardStdout === false) return () => {}
  return guardStdout(process.stdout, process.stderr, (error) => {
    try {
      onError(error, { severity: 'warning', operation: 'stdout' })
    } catch {
      // An error of a listener must not affect the peer.
    }
  })
}

/**
 * Sends what anybody writes to `stdout` to `stderr` instead, because there it would be taken for a message. The first
 * such write is reported with the stack of who made it. Returns a function that undoes it.
 */
export function guardStdout(
  stdout: Writable,
  stderr: Writable,
  onFirst: (error: Error) => void,
): () => void {
  const own = Object.getOwnPropertyDescriptor(stdout, 'write')
  const write = stdout.write.bind(stdout)
  let isActive = true
  let isReported = false

  const guarded: Writable['write'] = (
    chunk: unknown,
    encodingOrDone?: BufferEncoding | Done,
    done?: Done,
  ): boolean => {
    const target = isActive ? stderr.write.bind(stderr) : write
    if (isActive && !isReported) {
      isReported = true
      onFirst(unexpectedWrite(guarded))
    }
    return typeof encodingOrDone === 'string'
      ? target(chunk, encodingOrDone, done)
      : target(chunk, encodingOrDone)
  }
  stdout.write = guarded

  return () => {
    isActive = false
    if (stdout.write !== guarded) return // wrapped once more by somebody else, who has to keep us
    if (own) Object.defineProperty(stdout, 'write', own)
    else Reflect.deleteProperty(stdout, 'write')
  }
}

type Done = (error?: Error | null) => void

function unexpectedWrite(guarded: Writable['write']): Error {
  const error = new Error(
    'something wrote to stdout, which carries messages here; this and later writes go to stderr (use console.error)',
  )
  error.name = 'StrayWrite'
  Error.captureStackTrace(error, guarded)
  return error
}

/** Two streams, and how much may be on its way between them. */
export type StdioTransportOptions = LineChannelOptions

/** Newline-delimited JSON over any pair of streams: standard streams, a socket, ssh, a container. */
export function createStdioTransport(options: StdioTransportOptions): Transport {
  const channel = openLineChannel(options)
  let disposed: Promise<void> | undefined

  return {
    kind: 'stdio',
    ...(options.peer !== undefined && { peer: options.peer }),
    messages: iterateMessages(channel.receive),
    receive: channel.receive,
    send: channel.send,
    flush: channel.flush,
    [Symbol.asyncDispose]: () => (disposed ??= dispose(channel, options)),
  }
}

/** A peer that does not read cannot hold us up for longer than `flushMs`. */
async function dispose(channel: LineChannel, { input, output }: LineChannelOptions): Promise<void> {
  const isDuplex = Object.is(input, output)
  if (isDuplex) channel.discardInput()
  else channel.stopInput()
  await waitAtMost(flushMs, channel.closeOutput(), { clock: systemClock })
  // A standard stream stays open: ending it would make the next `console.log` an error, and would not close it.
  const isStandard = output === process.stdout || output === process.stderr
  if (!isStandard && output.writable) {
    // All is written. A peer that has ended its side may be gone, and would never confirm the end of ours.
    const isAlone = isDuplex && input.readableEnded
    const ended = new Promise<void>((resolve) => output.end(resolve))
    if (!isAlone) await waitAtMost(flushMs, ended, { clock: systemClock })
    if (!output.writableFinished) output.destroy()
  }
  input.destroy()
}

const flushMs = 2_000
