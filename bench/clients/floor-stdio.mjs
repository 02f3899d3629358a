// The least a correct stdio client can do by hand: a map of waiting calls and one write per turn.
import { spawn } from 'node:child_process'

/** Starts a server and connects to it. */
export async function open({ command, args }) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting = new Map()
  let nextId = 1
  let output = ''
  let pieces = []

  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (chunk) => {
    const end = chunk.lastIndexOf('\n')
    if (end === -1) {
      pieces.push(chunk)
      return
    }
    pieces.push(chunk.slice(0, end))
    const lines = pieces.join('').split('\n')
    pieces = end + 1 === chunk.length ? [] : [chunk.slice(end + 1)]
    for (const line of lines) finish(JSON.parse(line))
  })

  function finish({ id, result, error }) {
    const call = waiting.get(id)
    if (call === undefined) return
    waiting.delete(id)
    if (error === undefined) call.resolve(result)
    else call.reject(new Error(error.message))
  }

  function send(message) {
    if (output === '') process.nextTick(flush)
    output += JSON.stringify(message) + '\n'
  }

  function flush() {
    child.stdin.write(output)
    output = ''
  }

  function request(method, params) {
    return new Promise((resolve, reject) => {
      const id = nextId++
      waiting.set(id, { resolve, reject })
      send({ jsonrpc: '2.0', id, method, params })
    })
  }

  await request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'floor', version: '1.0.0' },
  })
  send({ jsonrpc: '2.0', method: 'notifications/initialized' })

  return {
    call: (text) => request('tools/call', { name: 'echo', arguments: { text } }),
    close: () => child.stdin.end(),
  }
}
