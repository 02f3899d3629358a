import type { JsonValue } from '@parley/mcp'

import { createRecorder, type RecorderOptions, type TraceTap } from '../../src/trace/index.ts'

/** A recorder whose clock is moved by hand, and short words to record messages. */
export function record(options: RecorderOptions = {}) {
  let time = 0
  const recorder = createRecorder({ now: () => time, ...options })
  const tap = recorder.tap('git')
  return {
    recorder,
    tap,
    wait: (ms: number) => (time += ms),
    out: (message: JsonValue, on: TraceTap = tap) => send(on, 'out', message),
    in: (message: JsonValue, on: TraceTap = tap) => send(on, 'in', message),
    all: () => recorder.page(0, 100_000),
  }

  function send(on: TraceTap, direction: 'in' | 'out', message: JsonValue) {
    return on.onMessage({ direction, message, at: 0, bytes: JSON.stringify(message).length })
  }
}

/** A call of a tool as it is on the wire. */
export function call(id: number | string, name: string, args: { [name: string]: JsonValue } = {}) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } }
}

/** Its answer. */
export function answer(id: number | string, text: string, isError = false) {
  return {
    jsonrpc: '2.0',
    id,
    result: { content: [{ type: 'text', text }], ...(isError && { isError }) },
  }
}
