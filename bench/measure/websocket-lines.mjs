import { once } from 'node:events'

import { WebSocket } from 'ws'

/** A WebSocket that looks like two streams of lines, so that one load generator does for both. */
export async function openWebSocket(port) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/mcp`, 'mcp', { perMessageDeflate: false })
  await once(socket, 'open')
  return {
    input: {
      write(lines) {
        for (const line of lines.split('\n')) if (line !== '') socket.send(line)
      },
    },
    output: {
      setEncoding: () => {},
      // A Buffer, as `binaryType` has it unless told otherwise.
      on: (_event, onData) =>
        socket.on('message', (data) => onData(`${Buffer.from(data).toString()}\n`)),
    },
    close: () => socket.terminate(),
  }
}
