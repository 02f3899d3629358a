import { expect, test, vi } from 'vitest'

import { describeEntries, initialize, openEndpoint } from '../../support/http-endpoint.ts'
import { as, nameGuard } from '../../support/name-guard.ts'
import { createSampleServer } from '../../support/sample-server.ts'

describeEntries('without sessions', (entry) => {
  test('there is no id, no stream to listen on and nothing to end [HGET-03] [HSESS-10] [DEC-15]', async () => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server, {
      sessions: 'off',
    })

    const serverInfo = await endpoint.post(initialize())
    const listen = await endpoint.ask({ headers: { accept: 'text/event-stream' } })
    const end = await endpoint.ask({ method: 'DELETE' })
    const call = await endpoint.call('count')
    const answer = await endpoint.post({ jsonrpc: '2.0', id: 1, result: {} })

    expect(serverInfo.headers.get('mcp-session-id')).toBeNull()
    expect(await serverInfo.json()).toMatchObject({ result: { protocolVersion: '2025-06-18' } })
    expect([listen.status, end.status, call.status, answer.status]).toEqual([405, 405, 200, 400])
    expect(listen.headers.get('allow')).toBe('POST, OPTIONS')
    expect(endpoint.service.health()).toMatchObject({ sessions: 0, inFlight: 0 })
  })

  test('progress still comes on the stream of its call, without ids to resume by', async () => {
    const { server } = createSampleServer()
    server.tool('work', {}, async (_, context) => {
      await context.progress({ progress: 1 })
      return 'done'
    })
    await using endpoint = await openEndpoint(entry, server, { sessions: 'off' })

    const response = await endpoint.call('work', { meta: { progressToken: 1 } })

    const text = await response.text()
    expect(text).toContain('notifications/progress')
    expect(text).toContain('"done"')
    expect(text).not.toContain('id: ')
  })

  test('nobody can be asked, and the tool is told', async () => {
    const { server } = createSampleServer()
    server.tool('ask', {}, async (_, context) => `${(await context.listRoots()).length}`)
    await using endpoint = await openEndpoint(entry, server, { sessions: 'off' })
    await endpoint.open({ capabilities: { roots: {} } })

    const response = await endpoint.call('ask')

    const told = expect.stringMatching(/needs a client with roots.*sessions: 'off'/) as string
    expect(await response.json()).toMatchObject({
      result: { isError: true, content: [{ text: told }] },
    })
  })

  test('requests at once are counted by caller', async () => {
    const { server, release } = createSampleServer()
    await using endpoint = await openEndpoint(entry, server, {
      sessions: 'off',
      auth: nameGuard,
      limits: { inFlight: 2 },
    })
    const first = [1, 2].map((id) => endpoint.call('hang', { id, headers: as('ada') }))
    await vi.waitFor(() => expect(endpoint.service.health().inFlight).toBe(2))

    const third = await endpoint.call('count', { id: 3, headers: as('ada') })
    const other = await endpoint.call('count', { headers: as('bob') })
    release()
    await Promise.all(first)
    const later = await endpoint.call('count', { id: 4, headers: as('ada') })

    expect([third.status, other.status, later.status]).toEqual([429, 200, 200])
    expect(third.headers.get('retry-after')).toBe('1')
  })
})
