import { createHash } from 'node:crypto'

import { calculateJwkThumbprint, decodeProtectedHeader, importJWK, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'

import { createDpopKey, restoreDpopKey } from '../../src/client/tokens/dpop.ts'
import type { Seen } from '../support/http-log.ts'
import { authErrorOf } from '../support/refusal-of.ts'
import { rejected } from '../support/scripted-issuer.ts'
import { openWorld, type World } from '../support/world.ts'

/** Checks the signature and gives the claims of a proof. */
async function proofOf({ headers }: Pick<Seen, 'headers'>) {
  const proof = String(headers['dpop'])
  const { jwk, typ } = decodeProtectedHeader(proof)
  if (jwk === undefined) throw new Error('no key in the proof')
  expect(typ).toBe('dpop+jwt')
  expect(jwk).not.toHaveProperty('d')
  const { payload } = await jwtVerify(proof, await importJWK(jwk, 'ES256'))
  return { payload, thumbprint: await calculateJwkThumbprint(jwk) }
}

/** Issuer and server that bind tokens; each may want a nonce. */
function openBoundWorld(nonces: { issuer?: string; server?: () => string } = {}): Promise<World> {
  return openWorld({
    issuer: {
      metadata: (metadata) => ({ ...metadata, dpop_signing_alg_values_supported: ['ES256'] }),
      answer: ({ path, headers }) => {
        if (path !== '/token') return undefined
        const { nonce } = claimsOf(headers['dpop'])
        if (nonces.issuer !== undefined && nonce !== nonces.issuer) {
          return { ...rejected('use_dpop_nonce'), headers: { 'dpop-nonce': nonces.issuer } }
        }
        return { body: { access_token: 'bound', token_type: 'DPoP', expires_in: 600 } }
      },
    },
    server: {
      metadata: (metadata) => ({ ...metadata, dpop_signing_alg_values_supported: ['ES256'] }),
      answer({ path, headers }) {
        if (path !== '/mcp' || headers.authorization !== 'DPoP bound') return undefined
        const wanted = nonces.server?.()
        if (wanted === undefined || claimsOf(headers['dpop'])['nonce'] === wanted)
          return { status: 400, body: 'enough' }
        const challenge = 'DPoP error="use_dpop_nonce"'
        return {
          status: 401,
          body: 'no',
          headers: { 'www-authenticate': challenge, 'dpop-nonce': wanted },
        }
      },
    },
  })
}

function claimsOf(proof: string | string[] | undefined): Record<string, unknown> {
  const [, payload = 'e30'] = String(proof).split('.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Record<string, unknown> // a JWT's
}

describe('tokens bound to a key', () => {
  test('every request has a proof of its own, with the method, the address and the token', async () => {
    await using world = await openBoundWorld()
    await world.connect().catch(() => undefined) // the server says no more than that it got there

    const [token] = world.issuer.at('/token')
    const [request] = world.server.calls().filter(({ headers }) => headers['dpop'] !== undefined)
    if (!token || !request) throw new Error('nothing was proved')
    const atIssuer = await proofOf(token)
    const atServer = await proofOf(request)

    expect(atIssuer.payload).toMatchObject({ htm: 'POST', htu: `${world.issuer.issuer}/token` })
    expect(atServer.payload).toMatchObject({
      htm: 'POST',
      htu: world.server.url,
      ath: createHash('sha256').update('bound').digest('base64url'),
    })
    expect(atServer.thumbprint).toBe(atIssuer.thumbprint)
    expect(atServer.payload.jti).not.toBe(atIssuer.payload.jti)
    expect(world.issuer.at('/authorize')[0]?.query.get('dpop_jkt')).toBe(atIssuer.thumbprint)
  })

  test('nonces of the issuer and of the server are used, and new ones taken', async () => {
    let count = 0
    await using world = await openBoundWorld({
      issuer: 'n-issuer',
      server: () => `n-${Math.ceil(++count / 2)}`,
    })
    await world.connect().catch(() => undefined)

    expect(
      world.issuer.at('/token').map(({ headers }) => claimsOf(headers['dpop'])['nonce']),
    ).toEqual([undefined, 'n-issuer'])
    const nonces = world.server.calls().flatMap(({ headers }) => {
      return headers['dpop'] === undefined ? [] : [claimsOf(headers['dpop'])['nonce']]
    })
    expect(nonces.slice(0, 2)).toEqual([undefined, 'n-1'])
    expect(world.person.visited).toHaveLength(1)
  })

  test('a server that goes on asking for nonces is given up', async () => {
    let count = 0
    await using world = await openBoundWorld({ server: () => `n-${++count}` })

    await expect(world.connect()).rejects.toMatchObject({ code: 'unauthorized' })
    expect(world.person.visited).toHaveLength(1)
    expect(count).toBeLessThan(6)
  })

  test('a key that was kept makes the same proofs', async () => {
    const key = await createDpopKey()
    const again = await restoreDpopKey(JSON.parse(JSON.stringify(key.jwk)))

    expect(await again.handle.calculateThumbprint()).toBe(await key.handle.calculateThumbprint())
  })

  test('off means off, and required means required', async () => {
    await using world = await openBoundWorld()
    await world.connect({ dpop: 'off' }).catch(() => undefined)
    expect(world.issuer.at('/token')[0]?.headers['dpop']).toBeUndefined()

    await using plain = await openWorld()
    expect((await authErrorOf(plain.connect({ dpop: 'required' }))).code).toBe('metadata_invalid')

    await using demanding = await openWorld({
      server: {
        metadata: (metadata) => ({ ...metadata, dpop_bound_access_tokens_required: true }),
      },
    })
    expect((await authErrorOf(demanding.connect())).code).toBe('metadata_invalid')
  })

  test('a server that challenges by their scheme gets them too', async () => {
    await using world = await openWorld({
      issuer: {
        metadata: (metadata) => ({ ...metadata, dpop_signing_alg_values_supported: ['ES256'] }),
      },
      server: { challenge: () => 'DPoP algs="ES256"' },
    })

    await (await world.connect()).close()

    expect(world.issuer.at('/token')[0]?.headers['dpop']).toBeDefined()
  })

  test('a server that does not say that it takes them gets plain ones', async () => {
    await using world = await openWorld({
      issuer: {
        metadata: (metadata) => ({ ...metadata, dpop_signing_alg_values_supported: ['ES256'] }),
      },
    })

    await (await world.connect()).close()

    expect(world.issuer.at('/token')[0]?.headers['dpop']).toBeUndefined()
    expect(world.server.calls().at(-1)?.headers.authorization).toMatch(/^Bearer /)
  })

  test('an issuer that gives a bearer token where a bound one is demanded is refused', async () => {
    await using world = await openWorld({
      issuer: {
        metadata: (metadata) => ({ ...metadata, dpop_signing_alg_values_supported: ['ES256'] }),
      },
    })

    expect((await authErrorOf(world.connect({ dpop: 'required' }))).code).toBe('token_refused')
    await (await world.connect({ dpop: 'optional' })).close()
  })
})
