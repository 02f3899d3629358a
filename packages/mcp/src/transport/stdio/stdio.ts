import type { Transport } from '../../rpc/transport.ts'
import { iterateMessages } from '../../rpc/transport/receive-messages.ts'
import { openLineChannel, type LineChannel, type LineChannelOptions } from './line-channel.ts'

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
  await Promise.race([channel.closeOutput(), wait(flushMs)])
  // A standard stream stays open: ending it would make the next `console.log` an error, and would not close it.
  const isStandard = output === process.stdout || output === process.stderr
  if (!isStandard && output.writable) {
    // All is written. A peer that has ended its side may be gone, and would never confirm the end of ours.
    const isAlone = isDuplex && input.readableEnded
    const ended = new Promise<void>((resolve) => output.end(resolve))
    if (!isAlone) await Promise.race([ended, wait(flushMs)])
    if (!output.writableFinished) output.destroy()
  }
  input.destroy()
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref())
}

const flushMs = 2_000
