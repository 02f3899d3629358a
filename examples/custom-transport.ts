/**
 * A transport of your own: MCP between threads, over message ports.
 *
 * Setting up: whoever makes the `MessageChannel` gives one port to each side, before either sends anything.
 * Exchange: every JSON-RPC message is one frame of kind `message`; each is answered with a frame of kind `taken` when it
 * has been read, and a side with 256 messages not yet taken waits. Closing a port closes both.
 */

import type { MessagePort } from 'node:worker_threads'

import { McpError, type RawMessage, type Transport } from '@parley/mcp'

type PortFrame =
  | { readonly kind: 'message'; readonly message: RawMessage }
  | { readonly kind: 'taken' }

const mostUntaken = 256

export function createPortTransport(port: MessagePort): Transport {
  let arrived: RawMessage[] = []
  let untaken = 0
  let isClosed = false
  let room: Promise<void> | undefined
  let freeCapacity = (): void => {}
  let wakeReader = (): void => {}

  port.on('message', (frame: PortFrame) => {
    if (frame.kind === 'message') {
      arrived.push(frame.message)
      wakeReader()
    } else {
      untaken -= 1
      if (untaken < mostUntaken) freeCapacity()
    }
  })
  // Node delivers what was posted before the other port closed, then says so.
  port.on('close', () => {
    isClosed = true
    freeCapacity()
    wakeReader()
  })

  function post(frame: PortFrame): void {
    if (!isClosed) port.postMessage(frame)
  }

  async function* read(): AsyncGenerator<RawMessage> {
    for (;;) {
      const message = arrived.shift()
      if (message !== undefined) {
        post({ kind: 'taken' })
        yield message
      } else if (isClosed) return
      else await new Promise<void>((resolve) => (wakeReader = resolve))
    }
  }

  return {
    peer: 'message port',
    messages: read(),

    send(message) {
      if (isClosed) {
        const error = new McpError('closed', 'the port is closed', { details: undefined })
        return Promise.reject(error)
      }
      post({ kind: 'message', message: message.raw })
      untaken += 1
      if (untaken < mostUntaken) return undefined
      room ??= new Promise<void>((resolve) => {
        freeCapacity = () => {
          room = undefined
          resolve()
        }
      })
      return room
    },

    async [Symbol.asyncDispose]() {
      isClosed = true
      arrived = []
      port.close()
      freeCapacity()
      wakeReader()
    },
  }
}
