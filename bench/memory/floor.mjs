// Client and server in one process, by hand: every message becomes text and is parsed again on the other side.
import { answer } from '../servers/floor.mjs'

/** Connects to the hand-written server in this process. */
export function open() {
  const waiting = new Map()
  let nextId = 1

  function receive(text) {
    const { id, result, error } = JSON.parse(text)
    const call = waiting.get(id)
    if (call === undefined) return
    waiting.delete(id)
    if (error === undefined) call.resolve(result)
    else call.reject(new Error(error.message))
  }

  function request(method, params) {
    return new Promise((resolve, reject) => {
      const id = nextId++
      waiting.set(id, { resolve, reject })
      const text = JSON.stringify({ jsonrpc: '2.0', id, method, params })
      queueMicrotask(() => receive(answer(text)))
    })
  }

  return {
    call: (text) => request('tools/call', { name: 'echo', arguments: { text } }),
    close: () => {},
  }
}
