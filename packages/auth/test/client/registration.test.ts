import { describe, expect, test } from 'vitest'

import { isClientDocument } from '../../src/client/identity/choose-identity.ts'
import { applicationType } from '../../src/client/identity/registration.ts'
import type { Answer } from '../support/http-log.ts'
import { authErrorOf } from '../support/refusal-of.ts'
import { rejected } from '../support/scripted-issuer.ts'
import { openWorld } from '../support/world.ts'

const document = 'https://app.example.com/client.json'

describe('who a client is at an issuer', () => {
  test('registers with what the issuer has to know, and once [ADCR-01] [ASEC-11] [N07-AUTH-06] [N07-AUTH-11] [N11-AUTH-06]', async () => {
    await using world = await openWorld()

    await (await world.connect({ clientName: 'Notes' })).close()
    await (await world.connect({ account: 'second' })).close()

    const [asked, ...more] = world.issuer.at('/register')
    expect(JSON.parse(asked?.body ?? '')).toEqual({
      client_name: 'Notes',
      redirect_uris: ['http://127.0.0.1:3000/callback'],
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    })
    expect(more).toEqual([])
    expect(world.issuer.at('/authorize')).toHaveLength(2)
  })

  test.each([
    ['http://127.0.0.1:3000/callback', 'native'],
    ['http://localhost/callback', 'native'],
    ['https://app.example.com/callback', 'web'],
  ])('with the redirect %s it is %s [N07-AUTH-06]', (redirectUri, type) => {
    expect(applicationType(redirectUri)).toBe(type)
  })

  test('a registration for another redirect is not used', async () => {
    await using world = await openWorld()
    await (await world.connect()).close()
    const redirectUri = 'http://127.0.0.1:3000/other'

    await (await world.connect({ redirectUri, account: 'second' })).close()

    expect(world.issuer.at('/register')).toHaveLength(2)
    expect(world.issuer.at('/authorize').map(({ query }) => query.get('client_id'))).toEqual([
      'client-1',
      'client-2',
    ])
  })

  test('an issuer that wants a secret of its clients is asked again for one [N07-AUTH-06]', async () => {
    await using world = await openWorld({
      issuer: {
        metadata: ({ token_endpoint_auth_methods_supported: _, ...metadata }) => metadata,
        answer: ({ path, body }) =>
          path === '/register' && body.includes('"none"')
            ? rejected('invalid_client_metadata')
            : undefined,
      },
    })

    await (await world.connect()).close()

    expect(world.issuer.at('/register')).toHaveLength(2)
    expect(world.issuer.at('/token')[0]?.headers.authorization).toMatch(/^Basic /)
  })

  test.each<[string, Answer]>([
    ['refuses', rejected('access_denied', 'ask an administrator')],
    ['answers something else', { body: 'hello' }],
    [
      'registers another redirect',
      { status: 201, body: { client_id: 'x', redirect_uris: ['https://evil.example'] } },
    ],
  ])('an issuer that %s leaves a hint what to configure [ADCR-03]', async (_, answer) => {
    await using world = await openWorld({
      issuer: { answer: ({ path }) => (path === '/register' ? answer : undefined) },
    })

    const error = await authErrorOf(world.connect())

    expect(error).toMatchObject({ code: 'registration_refused', issuer: world.issuer.issuer })
    expect(world.issuer.at('/authorize')).toEqual([])
  })

  test('an issuer that registers nobody says what to configure [ADCR-03] [R0326A-13] [N11-AUTH-07]', async () => {
    await using world = await openWorld({
      issuer: { metadata: ({ registration_endpoint: _, ...metadata }) => metadata },
    })

    const error = await authErrorOf(world.connect())

    expect(error.code).toBe('client_id_needed')
    expect(error.hint).toContain(
      `issuers: { '${world.issuer.issuer}': { clientId, clientSecret } }`,
    )
  })

  const metadataOf = {
    documents: (metadata: object) => ({ ...metadata, client_id_metadata_document_supported: true }),
    nothing: (metadata: object) => ({ ...metadata }),
  }
  test.each<[string, keyof typeof metadataOf, { clientId?: string; own?: string }, string, number]>(
    [
      [
        'an id for this issuer comes first',
        'documents',
        { clientId: document, own: 'given' },
        'given',
        0,
      ],
      ['then an id at large', 'documents', { clientId: 'mine' }, 'mine', 0],
      ['then a document, where they are read', 'documents', { clientId: document }, document, 0],
      ['a document is of no use elsewhere', 'nothing', { clientId: document }, 'client-1', 1],
      ['and registering is last', 'documents', {}, 'client-1', 1],
    ],
  )(
    '%s [N11-AUTH-05] [N11-AUTH-07] [N11-AUTH-11] [N07-AUTH-07] [R0326A-13]',
    async (_, kind, { clientId, own }, used, times) => {
      await using world = await openWorld({ issuer: { metadata: metadataOf[kind] } })

      await (
        await world.connect({
          clientId,
          ...(own !== undefined && { issuers: { [world.issuer.issuer]: { clientId: own } } }),
        })
      ).close()

      expect(world.issuer.at('/authorize')[0]?.query.get('client_id')).toBe(used)
      expect(world.issuer.at('/register')).toHaveLength(times)
    },
  )

  test.each([
    [document, true],
    ['https://app.example.com/a/b.json?v=1', true],
    ['https://app.example.com', false],
    ['https://app.example.com/', false],
    ['http://app.example.com/client.json', false],
    ['https://app.example.com/client.json#x', false],
    ['https://u:p@app.example.com/client.json', false],
    ['https://app.example.com/a/../client.json', false],
    ['https://APP.example.com/client.json', false],
    ['my-client', false],
  ])('%s is the URL of a document: %s [N11-AUTH-08]', (clientId, isOne) => {
    expect(isClientDocument(clientId)).toBe(isOne)
  })

  test('a registration the issuer forgot is made anew, once', async () => {
    const forgotten = new Set(['client-1'])
    await using world = await openWorld({
      issuer: {
        answer: ({ path, form }) =>
          path === '/token' && forgotten.has(form.get('client_id') ?? '')
            ? {
                status: 401,
                body: { error: 'invalid_client' },
                headers: { 'www-authenticate': 'Basic realm="x"' },
              }
            : undefined,
      },
    })
    const first = await authErrorOf(world.connect()) // it has just been registered, so it is the issuer's fault
    expect(first.code).toBe('token_refused')

    await (await world.connect()).close()

    expect(world.issuer.at('/authorize').map(({ query }) => query.get('client_id'))).toEqual([
      'client-1',
      'client-1',
      'client-2',
    ])
  })
})
