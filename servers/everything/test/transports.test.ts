import type { Revision } from '@parley/mcp'
import { connect, type Client, type ConnectOptions, type UrlEntry } from '@parley/mcp/client'
import { serveHttp } from '@parley/mcp/node'
import { clientTasks } from '@parley/mcp/tasks'
import { describe, expect, test } from 'vitest'

import { triedRevisions } from '../../../test-support/revisions.ts'
import { createEverythingServer } from '../src/everything.ts'
import { answering, textsOf } from './support.ts'

/** Ways over the network, and the revisions that have them. */
const routes: readonly (readonly [string, readonly Revision[]])[] = [
  ['http', triedRevisions],
  ['websocket', triedRevisions],
  ['sse', triedRevisions.filter((revision) => revision < '2026-07-28')],
]
const cases = routes.flatMap(([route, revisions]) =>
  revisions.map((revision) => [route, revision] as const),
)

describe.each(cases)('over %s, in %s', (route, protocolVersion) => {
  test('calls, asks, tells of changes and lets nobody see the environment', async () => {
    await using network = await serve(route)
    const client = await network.open({ protocolVersion, ...answering })

    const echo = await client.callTool('echo', { message: 'over the network' })
    const sampled = await client.callTool('trigger-sampling-request', { prompt: 'Why?' })
    const names = (await client.listTools().toArray()).map(({ name }) => name)

    expect(client.negotiated).toMatchObject({ revision: protocolVersion, transport: route })
    expect(textsOf(echo)).toEqual(['Echo: over the network'])
    expect(textsOf(sampled)[0]).toContain('Forty-two.')
    expect(names).not.toContain('get-env')

    const uri = 'demo://resource/dynamic/text/1'
    await using changes = await client.listen({ resourceSubscriptions: [uri] })
    await client.callTool('toggle-subscriber-updates')
    for await (const change of changes) {
      expect(change).toEqual({ type: 'resource', uri })
      break
    }
  })

  test('echo-region tells which header repeated its argument', async () => {
    await using network = await serve(route)
    const client = await network.open({ protocolVersion })

    const result = await client.callTool('echo-region', { region: 'eu-north' })

    const header = route === 'http' && protocolVersion >= '2026-07-28' ? 'eu-north' : 'none'
    expect(textsOf(result)).toEqual([`Region: eu-north. Header: ${header}.`])
  })

  test('work-without-connection answers who comes back', async () => {
    await using network = await serve(route)
    const { resumed, fetch: watched } = watchResuming()
    const client = await network.open({
      protocolVersion,
      ...(route === 'http' && { fetch: watched }),
    })

    const result = await client.callTool('work-without-connection', { ms: 50 })

    expect(textsOf(result)).toEqual(['Worked for 50 ms.'])
    expect(resumed.length > 0).toBe(route === 'http' && protocolVersion === '2025-11-25')
  })

  if (protocolVersion < '2025-11-25') return

  test('simulate-research-query is followed to its end, with a question on the way', async () => {
    await using network = await serve(route)
    const content = { interpretation: 'tides, today' }
    const elicit = () => ({ action: 'accept' as const, content })
    const client = await network.open({ protocolVersion, elicit, extensions: [clientTasks()] })

    const args = { topic: 'tides', ambiguous: true }
    const result = await client.callTool('simulate-research-query', args)

    expect(textsOf(result)[0]).toContain('About tides, today.')
  })
})

/** Notes every request that goes on with a stream. */
function watchResuming() {
  const resumed: string[] = []
  const watched: typeof fetch = (input, init) => {
    const id = new Headers(init?.headers).get('last-event-id')
    if (id !== null) resumed.push(id)
    return fetch(input, init)
  }
  return { resumed, fetch: watched }
}

interface Network extends AsyncDisposable {
  open(options: ConnectOptions): Promise<Client>
}

async function serve(route: string): Promise<Network> {
  const server = createEverythingServer({ extras: true, stageMs: 0, updateEveryMs: 5 })
  const service = await serveHttp(server, {
    port: 0,
    ownsProcess: false,
    websocket: route === 'websocket',
    legacySse: route === 'sse',
  })
  const clients: Client[] = []
  return {
    async open(options) {
      const client = await connect(targetOf(service.url, route), options)
      clients.push(client)
      return client
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((client) => client.close()))
      await service.drain()
    },
  }
}

function targetOf(url: URL, route: string): UrlEntry {
  if (route === 'websocket') return { url: url.href.replace('http:', 'ws:') }
  return route === 'sse' ? { type: 'sse', url: `${url.href}/sse` } : { url: url.href }
}
