import { MessageChannel, type MessagePort } from 'node:worker_threads'

import { McpError, type Transport } from '@parley/mcp'

/**
 * A transport as somebody else might write it, on a channel we have nothing for: it has `messages` only, no `receive`.
 * A frame is a message as text, `taken` for each message read, so that the sender knows how many wait, and `bye`.
 */
type PortFrame =
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'taken' }
  | { readonly kind: 'bye' }

const maxWaiting = 64

/** Both ends of a message channel. */
export function openPortPair(): readonly [Transport, Transport] {
  const { port1, port2 } = new MessageChannel()
  return [createPortTransport(port1), createPortTransport(port2)]
}

function createPortTransport(port: MessagePort): Transport {
  const arrived: string[] = []
  let isEnded = false
  let isClosed = false
  let wake = (): void => undefined
  let waiting = 0
  let drained: Promise<void> | undefined
  let freeCapacity = (): void => undefined

  function end(): void {
    isEnded = true
    wake()
    freeCapacity()
  }
  port.on('close', end)
  port.on('message', (frame: PortFrame) => {
    if (frame.kind === 'message') arrived.push(frame.text)
    else if (frame.kind === 'bye') isEnded = true
    else if (--waiting < maxWaiting) {
      freeCapacity()
      drained = undefined
    }
    wake()
  })

  async function* read(): AsyncGenerator<string> {
    for (;;) {
      const text = isClosed ? undefined : arrived.shift()
      if (text !== undefined) {
        port.postMessage({ kind: 'taken' } satisfies PortFrame)
        yield text
      } else if (isEnded || isClosed) return
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  }

  return {
    messages: read(),
    send({ text }) {
      if (isClosed) {
        const error = new McpError('closed', 'the port is closed', { details: undefined })
        const rejected = Promise.reject(error)
        rejected.catch(() => undefined)
        return rejected
      }
      port.postMessage({ kind: 'message', text } satisfies PortFrame)
      if (++waiting < maxWaiting) return undefined
      drained ??= new Promise<void>((resolve) => (freeCapacity = resolve))
      return drained
    },
    async [Symbol.asyncDispose]() {
      if (isClosed) return
      isClosed = true
      port.postMessage({ kind: 'bye' } satisfies PortFrame)
      end()
      setImmediate(() => port.close())
    },
  }
}
