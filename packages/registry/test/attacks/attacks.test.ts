import { generateKeyPairSync, sign } from 'node:crypto'

import type { RegistryOptions } from '@parley/registry'
import { describe, expect, it } from 'vitest'

import { kinds, openDatabases } from '../databases.ts'
import { detailOf, documentOf, openRegistry, versionsIn } from '../registry-under-test.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')
const record = `v=MCPv1; k=ed25519; p=${raw}`

/** A proof for a domain, signed now. */
function proofFor(domain: string, at = new Date().toISOString()) {
  const signature = sign(null, Buffer.from(at), privateKey).toString('hex')
  return { domain, timestamp: at, signed_timestamp: signature }
}

/** Everybody owns every domain that can be asked for. */
const auth: RegistryOptions['auth'] = { dns: { resolve: async () => [record] } }

describe('theft of a namespace', () => {
  it.each([
    'exаmple.com', // a Cyrillic letter
    'example。com', // a full stop of another script
    'EXAMPLE.COM.',
    'example.com\u0000.evil.org',
    'example.com\n.evil.org',
    'com',
    'example',
    '-example.com',
    'example..com',
    `${'a'.repeat(64)}.com`,
    `${'a.'.repeat(130)}com`,
    '[::1]',
    '*.com',
  ])('gives no token for the domain %j', async (domain) => {
    await using registry = await openRegistry({ database: ':memory:', auth })
    const answer = await registry.ask('auth/dns', { body: proofFor(domain), token: false })
    expect([answer.status, detailOf(answer)]).toEqual([
      401,
      expect.stringContaining('is not a domain'),
    ])
  })

  it('takes no name that only looks like one that is allowed', async () => {
    await using registry = await openRegistry({ database: ':memory:', auth })
    const signedIn = await registry.ask('auth/dns', {
      body: proofFor('Example.COM'),
      token: false,
    })
    const { registry_token: token } = signedIn.body as { registry_token: string }
    const statuses = async (names: readonly string[]) =>
      Promise.all(
        names.map(
          async (name) =>
            (await registry.ask('publish', { body: documentOf(name, '1.0.0'), token })).status,
        ),
      )

    expect(await statuses(['com.example/one'])).toEqual([200])
    // Capitals, letters of other scripts, other separators, names beside the namespace.
    const others = ['COM.example/one', 'com.Example/one', 'com.examрle/one', 'com.example\\one']
    const beside = ['com.examplee/one', 'com.example-x/one', 'com.exampl/one', 'com/example']
    expect(new Set(await statuses([...others, ...beside]))).toEqual(new Set([403]))
    // What the token covers by its letters is no name all the same.
    expect(await statuses(['com.example/../io.github.ada/x', 'com.example/'])).toEqual([400, 400])
  })

  it('cannot use a proof twice in another place of time or for another domain', async () => {
    const keyOf: { [domain: string]: string } = { 'mine.com': record }
    const dns = { resolve: async (domain: string) => [keyOf[domain] ?? 'v=spf1 -all'] }
    await using registry = await openRegistry({ database: ':memory:', auth: { dns } })
    const proof = proofFor('mine.com')
    const ask = async (body: object) =>
      (await registry.ask('auth/dns', { body, token: false })).status

    expect(await ask(proof)).toBe(200)
    expect(await ask({ ...proof, domain: 'victim.com' })).toBe(401)
    expect(await ask({ ...proof, domain: 'sub.mine.com' })).toBe(401)
    expect(await ask(proofFor('mine.com', new Date(Date.now() - 60_000).toISOString()))).toBe(401)
  })
})

describe.each(kinds)('on %s', (kind) => {
  it('refuses names that look like those of others, where it is told to', async () => {
    await using databases = await openDatabases(kind)
    const database = await databases.create()
    await using registry = await openRegistry({ database, lookAlikes: 'refuse' })
    const publish = (name: string) => registry.publish(documentOf(name, '1.0.0'))
    await publish('io.github.microsoft/maps')

    for (const name of [
      'io.github.rnicr0s0ft/maps',
      'io.github.micro-soft/maps',
      'io.github.microsfot/maps',
      'io.github.MICROSOFT/maps',
    ]) {
      const refused = await publish(name)
      expect([name, refused.status]).toEqual([name, 400])
      expect(detailOf(refused)).toContain('looks like io.github.microsoft/maps')
    }
    expect((await publish('io.github.microsoft/rnaps')).status).toBe(200)
    expect((await publish('io.github.ada/maps')).status).toBe(200)
    const moved = await registry.ask('x/rename', {
      body: { from: 'io.github.ada/maps', to: 'io.github.mlcrosoft/maps' },
    })
    expect(moved.status).toBe(400)
    expect(versionsIn(await registry.ask('servers'))).toHaveLength(3)
  })

  it('finds a look-alike behind any number of names that begin like it', async () => {
    await using databases = await openDatabases(kind)
    await using registry = await openRegistry({ database: await databases.create() })
    await registry.publish(documentOf('io.github.microsoft/maps', '1.0.0'))
    const flood = Array.from({ length: 300 }, (_, at) =>
      documentOf(`io.github.micro${at}/maps`, '1.0.0'),
    )
    await registry.registry.importDocuments(flood)

    const { body } = await registry.publish(documentOf('io.github.micr0soft/maps', '1.0.0'))

    expect(JSON.stringify(body)).toContain('looks like io.github.microsoft/maps')
  })
})

describe('a hostile document', () => {
  it.each<[string, string, number]>([
    ['deep beyond reason', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`, 400],
    ['of many values', `[${'0,'.repeat(120_000)}0]`, 400],
    ['longer than is read', JSON.stringify({ name: 'x'.repeat(300_000) }), 413],
    ['that names a prototype', '{"__proto__":{"name":"com.example/x"}}', 422],
    ['that is a number', '7', 422],
  ])('%s is refused', async (_, body, status) => {
    await using registry = await openRegistry({ database: ':memory:' })
    const answer = await registry.ask('publish', { body })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(({} as { name?: string }).name).toBeUndefined()
  })

  it('with thousands of faults is answered with some of them', async () => {
    await using registry = await openRegistry({ database: ':memory:' })
    const packages = Array.from({ length: 3_000 }, () => ({ registryType: 7 }))
    const body = { ...documentOf('com.example/many', '1.0.0'), packages }
    const answer = await registry.ask('validate', { body, token: false })
    const { issues } = answer.body as { issues: readonly object[] } // as its schema has it
    expect(answer.status).toBe(200)
    expect(issues.length).toBeGreaterThan(1)
    expect(issues.length).toBeLessThanOrEqual(200)
  })
})
