import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { describeEntries, eventsOf, openEndpoint } from '../../support/http-endpoint.ts'
import { as, nameGuard } from '../../support/name-guard.ts'

const url = 'https://bank.example/pay'

describeEntries('a question to one user', (entry) => {
  test('is answered by nobody else, whatever session they name [N11-ELI-13]', async () => {
    const answers: unknown[] = []
    const server = createServer({ name: 'shop', version: '1.0.0' })
    server.tool('pay', {}, async (_, context) => {
      const { action } = await context.elicit({ mode: 'url', message: 'Pay', url })
      answers.push([context.auth?.subject, action])
    })
    await using endpoint = await openEndpoint(entry, server, { auth: nameGuard })
    const open = { revision: '2025-11-25', capabilities: { elicitation: { url: {} } } }
    const session = await endpoint.open({ ...open, headers: as('ada') })
    const bobs = await endpoint.open({ ...open, headers: as('bob') })

    const call = eventsOf(await endpoint.call('pay', { session, headers: as('ada') }))
    const { id } = await call.message()
    const answer = (action: string) => ({ jsonrpc: '2.0', id, result: { action } })
    const foreign = await endpoint.post(answer('accept'), { session, headers: as('bob') })
    const elsewhere = await endpoint.post(answer('accept'), { session: bobs, headers: as('bob') })
    const own = await endpoint.post(answer('decline'), { session, headers: as('ada') })
    await call.message()

    expect([foreign.status, elsewhere.status, own.status]).toEqual([404, 202, 202])
    expect(answers).toEqual([['ada', 'decline']])
  })

  test('is said to be over on a stream of theirs, after the call [N11-URL-04, N11-URL-05]', async () => {
    const complete: ((id: string) => void)[] = []
    const server = createServer({ name: 'shop', version: '1.0.0' })
    server.tool('pay', {}, async (_, context) => {
      complete.push(context.completeElicitation)
      await context.elicit({ mode: 'url', message: 'Pay', url, elicitationId: 'e1' })
    })
    await using endpoint = await openEndpoint(entry, server, { auth: nameGuard })
    const open = { revision: '2025-11-25', capabilities: { elicitation: { url: {} } } }
    const headers = as('ada')
    const session = await endpoint.open({ ...open, headers })
    const listening = await endpoint.listen(session, { headers })
    const call = eventsOf(await endpoint.call('pay', { session, headers }))
    const { id } = await call.message()
    await endpoint.post({ jsonrpc: '2.0', id, result: { action: 'accept' } }, { session, headers })
    await call.rest()

    complete[0]?.('e1')

    expect(await listening.message()).toMatchObject({
      method: 'notifications/elicitation/complete',
      params: { elicitationId: 'e1' },
    })
  })
})
