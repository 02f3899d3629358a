// The load generator for every server on one channel: raw lines, no SDK.
import { initializeRequest } from './initialize-request.mjs'

/** Speaks to a server over its standard streams, or what looks like them; `run` keeps a number of requests in flight. */
export function openSession({ input, output }) {
  let pieces = []
  let onMessages = () => {}

  output.setEncoding('utf8')
  output.on('data', (chunk) => {
    const end = chunk.lastIndexOf('\n')
    if (end === -1) {
      pieces.push(chunk)
      return
    }
    pieces.push(chunk.slice(0, end))
    const lines = pieces.join('').split('\n')
    pieces = end + 1 === chunk.length ? [] : [chunk.slice(end + 1)]
    onMessages(lines.map((line) => JSON.parse(line)).filter((message) => !message.method))
  })

  let nextId = 1

  /** Resolves with latencies in microseconds and the seconds it took; rejects on any wrong answer. */
  function run({ request, check, operations, inFlight }) {
    return new Promise((resolve, reject) => {
      const firstId = nextId
      const sentAt = new Float64Array(operations)
      const latencies = new Float64Array(operations)
      let sent = 0
      let answered = 0
      nextId += operations

      function requests(count) {
        const now = performance.now()
        let text = ''
        for (let left = Math.min(count, operations - sent); left > 0; left--) {
          sentAt[sent] = now
          text += request(firstId + sent) + '\n'
          sent++
        }
        return text
      }

      onMessages = (messages) => {
        const now = performance.now()
        for (const { id, result, error } of messages) {
          const index = id - firstId
          const isExpected = index >= 0 && index < sent && latencies[index] === 0
          if (error !== undefined || !isExpected || !check(result)) {
            reject(
              new Error(`wrong answer: ${JSON.stringify({ id, result, error }).slice(0, 300)}`),
            )
            return
          }
          latencies[index] = (now - sentAt[index]) * 1_000
        }
        answered += messages.length
        const text = requests(messages.length)
        if (text !== '') input.write(text)
        else if (answered === operations) resolve({ latencies, seconds: (now - startedAt) / 1_000 })
      }

      const startedAt = performance.now()
      input.write(requests(inFlight))
    })
  }

  /** The handshake. */
  async function initialize() {
    await run({ request: initializeRequest, check: Boolean, operations: 1, inFlight: 1 })
    input.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
  }

  return { initialize, run }
}
