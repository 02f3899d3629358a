import { expect, test } from 'vitest'

import {
  describeEntries,
  eventsOf,
  messagesOf,
  openEndpoint,
  ping,
} from '../../support/http-endpoint.ts'
import { as, nameGuard } from '../../support/name-guard.ts'
import { createSampleServer } from '../../support/sample-server.ts'

/** Names that objects have without being told, and what else is no id of ours. */
const strange = [
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  'prototype',
  '0',
  '-1',
  'null',
  'undefined',
  '../../etc/passwd',
  "' OR 1=1 --",
  '%00',
  'ÿþ',
  'x'.repeat(8_000),
].map((id) => [id.slice(0, 20), id] as const)

describeEntries('an id that is none', (entry) => {
  test.each(strange)('as a session gets 404, and nothing happens: %s', async (_, id) => {
    const { server, calls } = createSampleServer()
    await using endpoint = await openEndpoint(entry, server)
    const session = await endpoint.open()

    const answers = [
      await endpoint.call('count', { session: id }),
      await endpoint.post({ jsonrpc: '2.0', method: 'notifications/x' }, { session: id }),
      (await endpoint.listen(id)).response,
      await endpoint.ask({ method: 'DELETE', headers: { 'mcp-session-id': id } }),
    ]

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect(calls.count).toBe(0)
    expect((await endpoint.post(ping(1), { session })).status).toBe(200)
    expect(endpoint.service.health().sessions).toBe(1)
  })

  test.each(strange)('as an event gets 400, and nothing happens: %s', async (_, id) => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server)
    const session = await endpoint.open()

    const resumed = await endpoint.listen(session, { headers: { 'last-event-id': id } })

    expect(resumed.response.status).toBe(400)
    expect((await endpoint.post(ping(1), { session })).status).toBe(200)
    expect(endpoint.service.health()).toMatchObject({ sessions: 1, streams: 0 })
  })
})

describeEntries("another caller's id", (entry) => {
  test('opens neither a session nor a stream, and its owner notices nothing [SEC-07] [SEC-09]', async () => {
    const { server, calls } = createSampleServer()
    let goOn = (): void => undefined
    const isTried = new Promise<void>((resolve) => (goOn = resolve))
    server.tool('work', {}, async (_, context) => {
      await context.progress({ progress: 1 })
      await isTried
      return 'for ada'
    })
    await using endpoint = await openEndpoint(entry, server, { auth: nameGuard })
    const ada = await endpoint.open({ headers: as('ada') })
    const bob = await endpoint.open({ headers: as('bob') })
    const calling = await endpoint.call('work', {
      session: ada,
      id: 7,
      meta: { progressToken: 1 },
      headers: as('ada'),
    })
    const events = eventsOf(calling)
    await events.message()
    const last = events.seen.findLast(({ id }) => id !== undefined)?.id ?? ''

    const cancel = {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 7 },
    }
    const resume = { ...as('bob'), 'last-event-id': last }
    const tried = [
      await endpoint.call('count', { session: ada, headers: as('bob') }),
      await endpoint.post(cancel, { session: ada, headers: as('bob') }),
      await endpoint.post(cancel, { session: bob, headers: as('bob') }),
      (await endpoint.listen(ada, { headers: resume })).response,
      (await endpoint.listen(bob, { headers: resume })).response,
      await endpoint.ask({
        method: 'DELETE',
        headers: { ...as('bob'), 'mcp-session-id': ada },
      }),
    ]
    goOn()

    expect(tried.map(({ status }) => status)).toEqual([404, 404, 202, 404, 400, 404])
    expect(calls.count).toBe(0)
    expect(messagesOf(await events.rest())).toMatchObject([
      { id: 7, result: { content: [{ text: 'for ada' }] } },
    ])
  })
})
