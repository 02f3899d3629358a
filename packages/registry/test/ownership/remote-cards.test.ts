import { expect, it } from 'vitest'

import { fakeOutgoing, type FakeHosts } from '../fake-hosts.ts'
import { detailOf, documentOf, openRegistry } from '../registry-under-test.ts'

const url = 'https://mcp.example.com/mcp'
const card = (more: object = {}) => ({
  json: {
    name: 'com.example/one',
    version: '1.0.0',
    description: 'One',
    remotes: [{ type: 'streamable-http', url }],
    ...more,
  },
})

async function publish(
  remoteCards: 'note' | 'require' | undefined,
  hosts: FakeHosts,
  more: object = {},
) {
  const { outgoing, asked } = fakeOutgoing(hosts)
  await using registry = await openRegistry({ database: ':memory:', outgoing, remoteCards })
  const remotes = [{ type: 'streamable-http', url, ...more }]
  return {
    asked,
    answer: await registry.publish(documentOf('com.example/one', '1.0.0', { remotes })),
  }
}

it('verifies a remote by its card, and says so', async () => {
  const { answer } = await publish('require', { [`${url}/server-card`]: card() })

  expect(answer).toMatchObject({
    status: 200,
    body: {
      _meta: {
        'dev.parley.registry/checks': [
          { kind: 'publisher', method: 'key' },
          { kind: 'server-card', url, isVerified: true },
        ],
      },
    },
  })
})

it.each<[string, FakeHosts, string]>([
  [
    'names another server',
    { [`${url}/server-card`]: card({ name: 'com.evil/one' }) },
    'names com.evil/one',
  ],
  [
    'names another address',
    { [`${url}/server-card`]: card({ remotes: [] }) },
    'does not name this',
  ],
  ['is not there', {}, 'status 404'],
  ['is no card', { [`${url}/server-card`]: '<html>' }, 'not a server card'],
])('refuses a remote whose card %s, or only notes it', async (_, hosts, why) => {
  const refused = await publish('require', hosts)
  expect(refused.answer.status).toBe(400)
  expect(detailOf(refused.answer)).toContain(why)

  const noted = await publish('note', hosts)
  expect(noted.answer.status).toBe(200)
  expect(JSON.stringify(noted.answer.body)).toContain(why)
})

it('asks nobody unless it is told to, and never for an address with variables', async () => {
  expect((await publish(undefined, {})).asked).toEqual([])
  const variables = { name: { description: 'which' } }
  const more = { url: 'https://{name}.example.com/mcp', variables }
  const { asked, answer } = await publish('note', {}, more)
  expect(asked).toEqual([])
  expect(JSON.stringify(answer.body)).toContain('the URL has variables')
})
