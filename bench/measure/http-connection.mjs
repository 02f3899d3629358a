import { connect } from 'node:net'

import { createResponseReader } from './http-response.mjs'

/** One keep-alive connection to a server on this machine, with one request in flight at a time. */
export function openConnection(port) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let waiting
  let failure

  function fail(error) {
    failure ??= error
    waiting?.onError(failure)
    waiting = undefined
  }

  const read = createResponseReader((response) => {
    const { onResponse } = waiting
    waiting = undefined
    onResponse(response)
  })
  socket.on('data', (chunk) => {
    try {
      read(chunk)
    } catch (error) {
      fail(error)
    }
  })
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('the server closed the connection')))

  /** Callbacks instead of a promise: the generator shares the machine with what it measures. */
  function send(text, onResponse, onError) {
    if (failure !== undefined) {
      onError(failure)
      return
    }
    waiting = { onResponse, onError }
    socket.write(text)
  }

  return {
    send,
    request: (text) => new Promise((resolve, reject) => send(text, resolve, reject)),
    close: () => socket.destroy(),
  }
}
