import { createMemoryAuthServerStore } from '@parley/auth/server'
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'

import { obtainToken, requestToken, resource, startAuthServer, type Harness } from './harness.ts'

function renew(harness: Harness, token: unknown, more: Record<string, string> = {}) {
  return requestToken(harness, {
    grant_type: 'refresh_token',
    refresh_token: String(token),
    client_id: 'app',
    ...more,
  })
}

describe('renewing', () => {
  test('gives a new refresh token each time [R0326A-17]', async () => {
    const harness = await startAuthServer()
    const { body: first } = await obtainToken(harness)

    const { body: second, status } = await renew(harness, first['refresh_token'])
    const { status: third } = await renew(harness, second['refresh_token'])

    expect([status, third]).toEqual([200, 200])
    expect(second['refresh_token']).not.toBe(first['refresh_token'])
    expect(decodeJwt(String(second['access_token'])).aud).toBe(resource)
  })

  test('gives less if less is asked for, and never more', async () => {
    const harness = await startAuthServer()
    const { body } = await obtainToken(harness, { scope: 'notes:read notes:write' })

    const less = await renew(harness, body['refresh_token'], { scope: 'notes:read' })
    const more = await renew(harness, less.body['refresh_token'], { scope: 'notes:read admin' })

    expect(less.body['scope']).toBe('notes:read')
    expect([more.status, more.body['error']]).toEqual([400, 'invalid_scope'])
  })

  test('is refused for another client and another resource', async () => {
    const harness = await startAuthServer()
    const { body } = await obtainToken(harness)

    const client = await renew(harness, body['refresh_token'], { client_id: 'tool' })
    const target = await renew(harness, body['refresh_token'], {
      resource: 'https://other.example/',
    })

    expect(client.body['error']).toBe('invalid_grant')
    expect(target.body['error']).toBe('invalid_target')
  })

  test('ends when the resource is no longer one of the server [ATOK-10]', async () => {
    const store = createMemoryAuthServerStore()
    const { body } = await obtainToken(await startAuthServer({ store }))
    const later = await startAuthServer({ store, resources: ['https://other.example.com/mcp'] })

    const { status, body: rejected } = await renew(later, body['refresh_token'])

    expect([status, rejected['error']]).toEqual([400, 'invalid_target'])
  })

  test('ends when somebody may not sign in any more', async () => {
    let isClosed = false
    const account = { subject: 'person-1' }
    const harness = await startAuthServer({
      users: { verify: async () => account, find: async () => (isClosed ? undefined : account) },
    })
    const { body } = await obtainToken(harness)

    isClosed = true
    const { status, body: rejected } = await renew(harness, body['refresh_token'])

    expect([status, rejected['error']]).toEqual([400, 'invalid_grant'])
  })
})

describe('attack: refresh reuse', () => {
  test('a used refresh token ends the whole family [R0326A-17]', async () => {
    const harness = await startAuthServer()
    const { body: first } = await obtainToken(harness)
    const { body: second } = await renew(harness, first['refresh_token'])

    const stolen = await renew(harness, first['refresh_token'])
    const rightful = await renew(harness, second['refresh_token'])

    expect(stolen.body['error']).toBe('invalid_grant')
    expect(rightful.body['error']).toBe('invalid_grant')
    expect(harness.events.map(({ type }) => type)).toContain('grant_revoked')
  })

  test('of two that come at once one is reuse', async () => {
    const harness = await startAuthServer()
    const { body } = await obtainToken(harness)

    const answers = await Promise.all([1, 2].map(() => renew(harness, body['refresh_token'])))

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('leaves other sign-ins of the same person alone', async () => {
    const harness = await startAuthServer()
    const { body: one } = await obtainToken(harness)
    const { body: other } = await obtainToken(harness)
    await renew(harness, one['refresh_token'])
    await renew(harness, one['refresh_token'])

    const { status } = await renew(harness, other['refresh_token'])

    expect(status).toBe(200)
  })
})
