import { type ElicitRequestURLParams, type ElicitURLResult, RpcError } from '@parley/mcp'
import { type Context, createServer, type Server } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { describeServer } from '../support/matrix.ts'
import type { Raw } from '../support/raw-channel.ts'
import type { RawClient } from '../support/raw-client.ts'

const capabilities = { elicitation: { url: {} } }
const url = 'https://bank.example/pay/9'
const completion = 'notifications/elicitation/complete'

describeServer(
  'a tool that sends the user to a link',
  ({ rawClient }) => {
    test('sends an id with it, and learns it with the answer [N11-URL-01, N11-URL-03]', async () => {
      const answers: ElicitURLResult[] = []
      const client = await rawClient(paying(answers), { capabilities })

      const { inputRequest } = await pay(client, { action: 'accept', content: { card: '4242' } })

      expect(inputRequest.params).toEqual({
        mode: 'url',
        message: 'Pay',
        url,
        elicitationId: expect.stringMatching(/^[\da-f-]{36}$/),
      })
      const { elicitationId } = inputRequest.params as { elicitationId: string }
      expect(answers).toEqual([{ action: 'accept', elicitationId }]) // that they agreed, and no more
      await client.close()
    })

    test('sends no id twice, and any id its author chose [N11-URL-01]', async () => {
      const client = await rawClient(paying([]), { capabilities })
      const chosen = await rawClient(paying([], { elicitationId: 'order-9' }), { capabilities })

      const inputRequests = [await pay(client), await pay(client), await pay(chosen)]

      const ids = inputRequests.map(({ inputRequest }) => inputRequest.params?.['elicitationId'])
      expect(new Set(ids).size).toBe(3)
      expect(ids[2]).toBe('order-9')
      await client.close()
      await chosen.close()
    })

    test.each([
      ['declared nothing', {}],
      ['declared elicitation before there were modes', { elicitation: {} }],
      ['declared forms', { elicitation: { form: {} } }],
    ])('asks nobody who %s [N11-CAP-01, N11-ELI-03]', async (_, declared) => {
      const client = await rawClient(paying([]), { capabilities: declared })

      const { result } = await client.request('tools/call', { name: 'pay' })

      expect(result).toMatchObject({ isError: true })
      expect(JSON.stringify(result)).toContain('elicitation.url')
      expect(client.received.filter(({ method }) => method !== undefined)).toEqual([])
      await client.close()
    })

    test('asks nobody to fill in a form who declared links only [N11-CAP-01, N11-ELI-03]', async () => {
      const server = createServer({ name: 'shop', version: '1.0.0' })
      const requestedSchema = { type: 'object', properties: {} }
      server.tool('order', {}, async (_, context) => {
        await context.elicit({ message: 'How many?', requestedSchema })
      })
      const client = await rawClient(server, { capabilities })

      const { result } = await client.request('tools/call', { name: 'order' })

      expect(result).toMatchObject({ isError: true })
      await client.close()
    })

    test.each([
      'http://bank.example/pay',
      'http://127.0.0.1.bank.example/',
      'javascript:alert(1)',
      'file:///etc/passwd',
      '/pay',
      'https://ada:secret@bank.example/',
    ])('does not send %s [N11-URL-01, N11-URL-14, N11-URL-15]', async (unfit) => {
      const reports: unknown[] = []
      const onError = (error: unknown): unknown => reports.push(error)
      const client = await rawClient(paying([], { url: unfit }), { capabilities, onError })

      const { result } = await client.request('tools/call', { name: 'pay' })

      expect(result).toMatchObject({ isError: true })
      expect(JSON.stringify(result)).not.toContain('secret')
      expect(reports).toEqual([expect.objectContaining({ code: 'invalid_definition' })])
      await client.close()
    })

    test.each(['http://localhost:3000/', 'http://127.0.0.1/', 'http://[::1]:80/pay'])(
      'may send %s, which is this machine [N11-URL-15]',
      async (local) => {
        const client = await rawClient(paying([], { url: local }), { capabilities })

        const { inputRequest } = await pay(client)

        expect(inputRequest.params?.['url']).toBe(local)
        await client.close()
      },
    )

    test('may say that the user has finished, while it still works [N11-URL-04]', async () => {
      const server = createServer({ name: 'shop', version: '1.0.0' })
      server.tool('pay', {}, async (_, context) => {
        const answer = await context.elicit({ mode: 'url', message: 'Pay', url })
        context.completeElicitation(answer.elicitationId ?? '')
        return 'paid'
      })
      const client = await rawClient(server, { capabilities })

      const { inputRequest } = await pay(client)

      const told = client.received.filter(({ method }) => method === completion)
      const { elicitationId } = inputRequest.params as { elicitationId: string }
      expect(told.map(({ params }) => params)).toEqual([{ elicitationId }])
      await client.close()
    })

    test('may say so when the call is over, once, to the client it sent there [N11-URL-04, N11-URL-05]', async () => {
      const contexts: Context[] = []
      const server = createServer({ name: 'shop', version: '1.0.0' })
      server.tool('pay', {}, async (_, context) => {
        contexts.push(context)
        await context.elicit({ mode: 'url', message: 'Pay', url, elicitationId: 'e9' })
        return 'wait'
      })
      const [asked, other] = [
        await rawClient(server, { capabilities }),
        await rawClient(server, { capabilities }),
      ]
      await pay(asked)
      const calling = other.request('tools/call', { name: 'pay' })
      const inputRequest = await other.next(({ method }) => method === 'elicitation/create')
      const [first, second] = contexts

      first?.completeElicitation('unknown')
      first?.completeElicitation('e9')
      first?.completeElicitation('e9')

      const told = await asked.next(({ method }) => method === completion)
      expect(told.params).toEqual({ elicitationId: 'e9' })
      await asked.request('ping')
      expect(asked.received.filter(({ method }) => method === completion)).toHaveLength(1)
      expect(other.received.filter(({ method }) => method === completion)).toEqual([])
      other.send({ jsonrpc: '2.0', id: inputRequest.id, result: { action: 'accept' } })
      await calling
      second?.completeElicitation('e9') // the same id, sent to this client too
      expect((await other.next(({ method }) => method === completion)).params).toEqual({
        elicitationId: 'e9',
      })
      await asked.close()
      await other.close()
    })
  },
  { revisions: ['2025-11-25'] },
)

const link = { mode: 'url', message: 'Link your account', url } as const

describeServer('a request that cannot go on before links are opened', ({ revision, rawClient }) => {
  const isKnown = revision === '2025-11-25'

  test('says so with every link, or as text where there is no such error [N11-URL-09, N11-URL-10, N11-CAP-04, N11-T-01]', async () => {
    const client = await rawClient(blocked([link, { ...link, elicitationId: 'mine' }]), {
      capabilities,
    })

    const { error, result } = await client.request('tools/call', { name: 'read' })

    if (isKnown) {
      expect(error).toEqual({
        code: -32042,
        message: 'not yet',
        data: {
          elicitations: [
            { ...link, elicitationId: expect.stringMatching(/^[\da-f-]{36}$/) },
            { ...link, elicitationId: 'mine' },
          ],
        },
      })
    } else {
      const text = `not yet\nLink your account: ${url}\nLink your account: ${url}`
      expect(result).toEqual({ content: [{ type: 'text', text }], isError: true })
    }
    await client.close()
  })

  test('says so as text to a client that cannot show links [N11-ELI-03]', async () => {
    const client = await rawClient(blocked([link]), { capabilities: { elicitation: {} } })

    const { result } = await client.request('tools/call', { name: 'read' })

    expect(result).toMatchObject({ isError: true })
    expect(JSON.stringify(result)).toContain(url)
    await client.close()
  })

  test('says so for resources and prompts too [N11-URL-09]', async () => {
    const client = await rawClient(blocked([link]), { capabilities })

    const read = await client.request('resources/read', { uri: 'mail://inbox' })
    const got = await client.request('prompts/get', { name: 'reply' })

    const code = isKnown ? -32042 : -32603
    expect([read.error?.code, got.error?.code]).toEqual([code, code])
    expect(JSON.stringify(read.error?.data)).toContain(url)
    await client.close()
  })

  if (!isKnown) return

  test('may say later that a link has been dealt with [N11-URL-04]', async () => {
    let complete: (() => void) | undefined
    const elicitations = [{ ...link, elicitationId: 'e1' }]
    const server = createServer({ name: 'mail', version: '1.0.0' })
    server.tool('read', {}, (_, { completeElicitation }) => {
      complete = () => completeElicitation('e1')
      throw new RpcError('url_elicitation_required', 'not yet', { data: { elicitations } })
    })
    const client = await rawClient(server, { capabilities })
    await client.request('tools/call', { name: 'read' })

    complete?.()

    const told = await client.next(({ method }) => method === completion)
    expect(told.params).toEqual({ elicitationId: 'e1' })
    await client.close()
  })

  test.each([
    ['a form', { message: 'Who?', requestedSchema: { type: 'object', properties: {} } }],
    ['an address that is not to be sent', { ...link, url: 'http://bank.example' }],
  ])('cannot name %s: that is a fault of its own [N11-URL-10]', async (_, entry) => {
    const reports: unknown[] = []
    const server = blocked([entry as ElicitRequestURLParams])
    const onError = (error: unknown): unknown => reports.push(error)
    const client = await rawClient(server, { capabilities, onError })

    const { error } = await client.request('tools/call', { name: 'read' })

    expect(error?.code).toBe(-32603)
    expect(reports).toEqual([expect.objectContaining({ code: 'invalid_definition' })])
    await client.close()
  })
})

function paying(answers: ElicitURLResult[], change: Partial<ElicitRequestURLParams> = {}): Server {
  const server = createServer({ name: 'shop', version: '1.0.0' })
  server.tool('pay', {}, async (_, context) => {
    answers.push(await context.elicit({ mode: 'url', message: 'Pay', url, ...change }))
    return 'ok'
  })
  return server
}

function blocked(elicitations: readonly ElicitRequestURLParams[]): Server {
  const server = createServer({ name: 'mail', version: '1.0.0' })
  const reject = (): never => {
    throw new RpcError('url_elicitation_required', 'not yet', { data: { elicitations } })
  }
  server.tool('read', {}, reject)
  server.resource('mail://inbox', { name: 'inbox' }, reject)
  server.prompt('reply', {}, reject)
  return server
}

async function pay(
  client: RawClient,
  result: object = { action: 'accept' },
): Promise<{ readonly inputRequest: Raw; readonly answer: Raw }> {
  const calling = client.request('tools/call', { name: 'pay' })
  const inputRequest = await client.next(({ method }) => method === 'elicitation/create')
  client.send({ jsonrpc: '2.0', id: inputRequest.id, result })
  return { inputRequest, answer: await calling }
}
