import { connect } from 'node:net'

import { bodiless } from './http-request.mjs'

/** A connection of its own that listens to a session; resolves when the server has said that it will. */
export function openListener(port, sessionId, headers) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('error', reject)
    socket.once('data', (chunk) => {
      const line = chunk.toString('latin1').split('\r\n', 1)[0]
      if (line === 'HTTP/1.1 200 OK') resolve({ close: () => socket.destroy() })
      else reject(new Error(`no stream: ${line}`))
    })
    socket.write(bodiless('GET', port, sessionId, headers))
  })
}
