import { apiKeyGuard } from '@parley/auth/resource'
import { createServer, type Server } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { post } from './raw-requests.ts'
import { serveTest, startTestGateway } from './running.ts'

const auth = apiKeyGuard({ 'key-of-ada-0123456789': 'ada', 'key-of-bob-0123456789': 'bob' })
const as = (name: string) => ({ 'x-api-key': `key-of-${name}-0123456789` })

function asking(): Server {
  const server = createServer({ name: 'asking', version: '1.0.0' })
  const requestedSchema = { type: 'object', properties: { city: { type: 'string' } } } as const
  server.tool('ask', {}, async (_, { elicit }) =>
    JSON.stringify(await elicit({ message: 'Which city?', requestedSchema })),
  )
  return server
}

/** The answers to whatever was asked. */
function answersTo({ inputRequests }: { readonly [key: string]: unknown }) {
  const answer = { action: 'accept', content: { city: 'Oslo' } }
  return Object.fromEntries(Object.keys(inputRequests as object).map((key) => [key, answer]))
}

test.each(['modern', 'legacy'] as const)(
  'the state of a call opens for its caller and its server alone (server: %s)',
  async (protocolVersion) => {
    await using red = await serveTest(asking())
    await using blue = await serveTest(asking())
    const rules = { ask: { name: 'question' } }
    await using gateway = await startTestGateway({
      auth,
      servers: {
        red: { url: red.url.href, protocolVersion, tools: rules },
        blue: { url: blue.url.href, protocolVersion },
      },
    })
    const call = { name: 'question', arguments: {} }

    const asked = (await post(gateway, 'tools/call', call, as('ada'))).result
    const { requestState } = asked
    const again = { ...call, requestState, inputResponses: answersTo(asked) }
    const changed = `${String(requestState).slice(0, -3)}AAA`
    const rejections = [
      await post(gateway, 'tools/call', again, as('bob')),
      await post(gateway, 'tools/call', { ...again, requestState: changed }, as('ada')),
      await post(gateway, 'tools/call', { ...again, name: 'blue__ask' }, as('ada')),
      await post(gateway, 'tools/call', { ...again, requestState: 7 }, as('ada')),
    ]
    gateway.reload({
      servers: {
        red: { url: red.url.href, protocolVersion },
        blue: { url: blue.url.href, protocolVersion, tools: rules },
      },
    })
    await gateway.started
    await expect
      .poll(async () => (await post(gateway, 'tools/list', {}, as('ada'))).text)
      .toContain('red__ask')
    const elsewhere = await post(gateway, 'tools/call', again, as('ada'))

    expect(asked['resultType']).toBe('input_required')
    for (const { text } of [...rejections, elsewhere]) expect(text).toContain('requestState')
    for (const { text } of [...rejections, elsewhere]) expect(text).not.toContain('Oslo')
    expect(elsewhere.text).toContain('it is of another server than')
  },
)

test.each(['modern', 'legacy'] as const)(
  'a call goes on with the state that it was given (server: %s)',
  async (protocolVersion) => {
    await using red = await serveTest(asking())
    await using gateway = await startTestGateway({
      servers: { red: { url: red.url.href, protocolVersion } },
    })
    const call = { name: 'red__ask', arguments: {} }

    const asked = (await post(gateway, 'tools/call', call)).result
    const { requestState } = asked
    const answered = await post(gateway, 'tools/call', {
      ...call,
      requestState,
      inputResponses: answersTo(asked),
    })

    expect(answered.text).toContain('Oslo')
  },
)
