import { createHook } from 'node:async_hooks'
import { once } from 'node:events'
import { createServer as createNodeServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'

import { createNodeHandler } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { expect, test, vi } from 'vitest'

function createEcho() {
  const server = createServer({ name: 'work', version: '1.0.0' })
  server.tool('echo', {}, () => 'hello')
  return server
}

const hello = (revision: string) => ({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: revision,
    capabilities: {},
    clientInfo: { name: 'work', version: '1.0.0' },
  },
})
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo' } }

/** A connection whose user waits by callbacks, so that every promise is the server's. */
interface Line extends AsyncDisposable {
  ask(method: string, session: string, message: object | undefined, next: OnAnswer): void
}
type OnAnswer = (answer: string) => void

async function openLine(): Promise<Line> {
  const http = createNodeServer(createNodeHandler(createEcho()))
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo // it listens on an address
  const socket: Socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  let onAnswer: OnAnswer = () => undefined
  socket.on('data', (bytes: Buffer) => onAnswer(bytes.toString()))

  return {
    ask(method, session, message, next) {
      onAnswer = next
      const body = message === undefined ? '' : JSON.stringify(message)
      const named = session === '' ? '' : `mcp-session-id: ${session}\r\n`
      const type =
        body === '' ? '' : `content-type: application/json\r\ncontent-length: ${body.length}\r\n`
      socket.write(
        `${method} / HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\naccept: application/json, text/event-stream\r\n${named}${type}\r\n${body}`,
      )
    },
    async [Symbol.asyncDispose]() {
      socket.destroy()
      http.close()
      await once(http, 'close')
    },
  }
}

/** A session from its beginning to its end, with one call in it; the answers of the server, one after the other. */
function visit({ ask }: Line, revision: string, onEnd: (answers: readonly string[]) => void): void {
  ask('POST', '', hello(revision), (opened) => {
    const [, id = ''] = /mcp-session-id: (\w+)/.exec(opened) ?? []
    ask('POST', id, initialized, (accepted) =>
      ask('POST', id, call, (called) =>
        ask('DELETE', id, undefined, (ended) => onEnd([opened, accepted, called, ended])),
      ),
    )
  })
}

function visitLater(line: Line, revision = '2025-06-18'): Promise<readonly string[]> {
  return new Promise((resolve) => visit(line, revision, resolve))
}

test('a session over HTTP is opened, used and ended with two promises for each body and no other', async () => {
  await using line = await openLine()
  await visitLater(line) // what is made once
  const visits: { readonly statuses: readonly string[]; readonly promises: number }[] = []
  // Whatever else the process does meanwhile makes promises too, so the fewest count.
  while (visits.length < 20 && !visits.some(({ promises }) => promises <= 2 * 3)) {
    visits.push(await countedVisit(line))
  }

  const [last] = visits.slice(-1)
  expect(last?.statuses).toEqual(['200', '202', '200', '204'])
  expect(last?.promises).toBeLessThanOrEqual(2 * 3)
})

async function countedVisit(line: Line) {
  let promises = 0
  const hook = createHook({
    init(_id, type) {
      if (type === 'PROMISE') promises++
    },
  })
  const answers = await new Promise<readonly string[]>((resolve) => {
    // Not at once: to wait for this takes a promise too.
    setImmediate(() => {
      hook.enable()
      visit(line, '2025-06-18', (all) => {
        hook.disable()
        resolve(all)
      })
    })
  })
  return { statuses: answers.map((answer) => answer.slice(9, 12)), promises }
}

test('what initialize answers is written as JSON once for each revision', async () => {
  await using line = await openLine()
  for (const revision of ['2025-06-18', '2025-03-26']) await visitLater(line, revision)
  const stringify = vi.spyOn(JSON, 'stringify')

  const [first] = await visitLater(line, '2025-06-18')
  const [second] = await visitLater(line, '2025-03-26')
  const written = stringify.mock.calls.filter(([value]) => isGreeting(value))
  stringify.mockRestore()

  expect(first).toContain('"protocolVersion":"2025-06-18"')
  expect(second).toContain('"protocolVersion":"2025-03-26"')
  expect(written).toHaveLength(0)
})

/** The result of `initialize`, or the response with it. */
function isGreeting(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return 'serverInfo' in value || ('result' in value && isGreeting(value.result))
}
