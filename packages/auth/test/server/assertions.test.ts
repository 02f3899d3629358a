import { decodeJwt, generateKeyPair } from 'jose'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

import { issuer, requestToken, resource, startAuthServer } from './harness.ts'
import { byDesk, company, grant, platform, startTrusting } from './trusting-world.ts'

describe('an employee with the word of their company (ID-JAG)', () => {
  test('gets a token for what the company allows', async () => {
    const { harness, employee } = await startTrusting()

    const { status, body } = await requestToken(harness, {
      ...byDesk,
      assertion: await employee(),
    })

    expect(status).toBe(200)
    expect(body).not.toHaveProperty('refresh_token')
    expect(decodeJwt(String(body['access_token']))).toMatchObject({
      sub: `${company}|alice`,
      aud: resource,
      client_id: 'desk',
      scope: 'notes:read',
    })
  })

  test('is who the server says they are here', async () => {
    const { harness, employee } = await startTrusting(
      {},
      {
        subject: ({ sub }) => `person-${String(sub)}`,
      },
    )

    const { body } = await requestToken(harness, { ...byDesk, assertion: await employee() })

    expect(decodeJwt(String(body['access_token'])).sub).toBe('person-alice')
  })

  test.each<[string, Record<string, unknown>, string?]>([
    ['is for another server', { aud: 'https://other.example' }],
    ['is for others too', { aud: [issuer, 'https://other.example'] }],
    ['is for another client', { client_id: 'robot' }],
    ['is for another resource', { resource: 'https://other.example/mcp' }],
    ['is of somebody who is not trusted', { iss: 'https://evil.example' }],
    ['has run out', { exp: 1_700_000_000 }],
    ['has no id', { jti: undefined }],
    ['has no subject', { sub: undefined }],
    ['is another kind of token', {}, 'JWT'],
    ['is an access token', {}, 'at+jwt'],
  ])('gets none for an assertion that %s', async (_, claims, typ) => {
    const { harness, employee } = await startTrusting()

    const { status, body } = await requestToken(harness, {
      ...byDesk,
      assertion: await employee(claims, typ),
    })

    expect(status).toBe(400)
    expect(body).not.toHaveProperty('access_token')
  })

  test('gets none if somebody else signed it', async () => {
    const { harness, sign } = await startTrusting()
    const { privateKey } = await generateKeyPair('ES256')
    const claims = { iss: company, client_id: 'desk', resource }

    const assertion = await sign(claims, 'oauth-id-jag+jwt', privateKey)
    const { status } = await requestToken(harness, { ...byDesk, assertion })

    expect(status).toBe(400)
  })

  test('gets none through a client that does not prove itself', async () => {
    const { harness, employee } = await startTrusting()

    const nameless = await requestToken(harness, { ...grant, assertion: await employee() })
    const unproven = await requestToken(harness, {
      ...grant,
      client_id: 'desk',
      assertion: await employee(),
    })

    expect([nameless.status, unproven.status]).toEqual([400, 401])
  })
})

describe('a program with the word of its platform', () => {
  test('gets a token without being a client', async () => {
    const { harness, program } = await startTrusting()

    const { status, body } = await requestToken(harness, { ...grant, assertion: await program() })

    expect(status).toBe(200)
    expect(decodeJwt(String(body['access_token']))).toMatchObject({
      sub: `${platform}|alice`,
      scope: 'notes:read',
      aud: resource,
    })
  })

  test('gets a token once for an assertion with an id, and again for one without', async () => {
    const { harness, program } = await startTrusting()
    const [named, nameless] = [await program(), await program({ jti: undefined })]
    const forms = [named, named, nameless, nameless].map((assertion) => ({ ...grant, assertion }))

    const answers: number[] = []
    for (const form of forms) answers.push((await requestToken(harness, form)).status)

    expect(answers).toEqual([200, 400, 200, 200])
  })

  test('gets a token at once when the platform has begun to sign with another key', async () => {
    const { harness, program, rotate, asked } = await startTrusting({ now: () => Date.now() })
    const first = await requestToken(harness, { ...grant, assertion: await program() })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    onTestFinished(() => void vi.useRealTimers())
    await rotate()

    const second = await requestToken(harness, { ...grant, assertion: await program() })
    const strange = await startTrusting()
    const assertion = await strange.program({ sub: 'mallory' })
    for (let count = 0; count < 5; count += 1) await requestToken(harness, { ...grant, assertion })

    expect([first.status, second.status]).toEqual([200, 200])
    expect(asked).toEqual([`${platform}/keys`, `${platform}/keys`])
  })

  test('never gets more than the platform may give', async () => {
    const { harness, program } = await startTrusting()
    const form = { ...grant, scope: 'notes:read notes:write', assertion: await program() }

    const { body } = await requestToken(harness, form)

    expect(body['scope']).toBe('notes:read')
  })
})

test('nobody is trusted unless named', async () => {
  const harness = await startAuthServer()

  const { body } = await requestToken(harness, { ...grant, client_id: 'app', assertion: 'a.b.c' })

  expect(body['error']).toBe('unsupported_grant_type')
})
