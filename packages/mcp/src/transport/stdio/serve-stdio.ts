import { finished, type Readable, type Writable } from 'node:stream'

import type { OnError } from '../../rpc/errors/error-report.ts'
import { systemClock } from '../../rpc/time/clock.ts'
import type { Transport } from '../../rpc/transport.ts'
import { wrapTransport } from '../../rpc/transport/wrap-transport.ts'
import { serveTransport, type ServeOptions, type Service } from '../../server/peer/serve.ts'
import { definitionOf, type Server } from '../../server/server.ts'
import { ownProcess, type ProcessLife } from './own-process.ts'
import { createStdioTransport } from './stdio.ts'
import { guardStdout } from './stdout-guard.ts'

/** How the process that started us is served. */
export interface StdioOptions extends ServeOptions {
  /** @defaultValue process.stdin */
  readonly input?: Readable | undefined
  /** @defaultValue process.stdout */
  readonly output?: Writable | undefined
  /** Send stray stdout writes to stderr and report the first with its stack. @defaultValue true */
  readonly guardStdout?: boolean | undefined
  /** Exit when the caller has gone, and on SIGTERM and SIGINT; never with streams of your own. @defaultValue true */
  readonly ownProcess?: boolean | undefined
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
  if (areOurs && (options.ownProcess ?? true)) life = ownProcess(service)
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
      // Whoever wrote must not suffer for a fault of who hears about it.
    }
  })
}
