import { createHash, createPrivateKey, ECDH, generateKeyPairSync, sign } from 'node:crypto'

import { apiKeyGuard } from '@parley/auth/resource'
import type { RegistryAuth } from '@parley/registry'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'

import { fakeOutgoing, type FakeHosts } from '../fake-hosts.ts'
import { detailOf, documentOf, openRegistry, type Answer } from '../registry-under-test.ts'

const now = Date.parse('2026-05-01T12:00:00Z')
const timestamp = '2026-05-01T12:00:00Z'

const ed25519 = generateKeyPairSync('ed25519')
const ed25519Record = `v=MCPv1; k=ed25519; p=${ed25519.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')}`
const p384 = generateKeyPairSync('ec', { namedCurve: 'secp384r1' })
const point = p384.publicKey.export({ format: 'der', type: 'spki' }).subarray(-97)
const compressed = Buffer.from(
  ECDH.convertKey(point, 'secp384r1', undefined, undefined, 'compressed'),
)
const p384Record = `v=MCPv1; k=ecdsap384; p=${compressed.toString('base64')}`

const signEd25519 = (text: string) =>
  sign(null, Buffer.from(text), ed25519.privateKey).toString('hex')
const signP384 = (text: string) =>
  sign('sha384', Buffer.from(text), {
    key: p384.privateKey,
    dsaEncoding: 'ieee-p1363',
  }).toString('hex')

/** Signs in and says which names may be published: the permissions of the token, or why there is none. */
async function signIn(
  method: string,
  body: object,
  auth: RegistryAuth,
  hosts: FakeHosts = {},
): Promise<{ status: number; told: unknown; asked: readonly string[] }> {
  const { outgoing, asked } = fakeOutgoing(hosts)
  await using registry = await openRegistry({
    database: ':memory:',
    auth,
    outgoing,
    now: () => now,
  })
  const answer = await registry.ask(`auth/${method}`, { body, token: false })
  return { status: answer.status, told: toldBy(answer), asked }
}

function toldBy(answer: Answer): unknown {
  if (answer.status !== 200) return detailOf(answer)
  const { registry_token: token, expires_at: expires } = answer.body as {
    registry_token: string
    expires_at: number
  }
  expect(expires).toBe(now / 1000 + 300)
  const payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    iss: string
    permissions: { action: string; resource: string }[]
  }
  expect(payload.iss).toBe('mcp-registry')
  return payload.permissions.map(({ action, resource }) => `${action} ${resource}`)
}

const dns = (...records: readonly string[]): RegistryAuth => ({
  dns: { resolve: async () => records },
})
const proof = { domain: 'Example.com', timestamp, signed_timestamp: signEd25519(timestamp) }

describe('signing in by DNS', () => {
  it('is said of what was published with it, for everybody to read', async () => {
    const auth = dns(ed25519Record)
    await using registry = await openRegistry({ database: ':memory:', auth, now: () => now })
    const { body: issued } = await registry.ask('auth/dns', { body: proof, token: false })
    const { registry_token: token } = issued as { registry_token: string }

    await registry.ask('publish', { body: documentOf('com.example/one', '1.0.0'), token })

    expect((await registry.ask('servers/com.example%2Fone/versions/1.0.0')).body).toMatchObject({
      _meta: {
        'dev.parley.registry/checks': [
          {
            kind: 'publisher',
            method: 'dns',
            domain: expect.stringMatching(/^example\.com$/i) as unknown,
          },
        ],
      },
    })
  })

  it.each([
    ['Ed25519', ed25519Record, signEd25519(timestamp)],
    ['P-384', p384Record, signP384(timestamp)],
  ])('takes a timestamp signed with %s', async (_, record, signature) => {
    const records = ['v=spf1 -all', 'v=MCPv1; k=ed25519; p=AAAA', record]
    const body = { ...proof, signed_timestamp: signature }
    expect(await signIn('dns', body, dns(...records))).toMatchObject({
      status: 200,
      told: ['publish com.example/*', 'publish com.example.*'],
    })
  })

  it.each<[string, object, readonly string[], string]>([
    ['an old timestamp', { timestamp: '2026-05-01T11:59:44Z' }, [ed25519Record], '15 seconds'],
    [
      'a timestamp of tomorrow',
      { timestamp: '2026-05-01T12:00:16Z' },
      [ed25519Record],
      '15 seconds',
    ],
    ['a timestamp that is none', { timestamp: 'now' }, [ed25519Record], 'RFC 3339'],
    [
      'another timestamp than the signed one',
      { timestamp: '2026-05-01T12:00:01Z' },
      [ed25519Record],
      'does not fit',
    ],
    ['no record', {}, [], 'no TXT record of Example.com'],
    ['a record of another kind', {}, [ed25519Record.replace('MCPv1', 'MCPv2')], 'no TXT record'],
    ['a key that is too short', {}, ['v=MCPv1; k=ed25519; p=AAAA'], 'does not fit'],
    [
      'the key of another algorithm',
      {},
      [ed25519Record.replace('ed25519', 'ecdsap384')],
      'does not fit',
    ],
    [
      'a point that is none',
      {},
      [`v=MCPv1; k=ecdsap384; p=${Buffer.alloc(49, 5).toString('base64')}`],
      'does not fit',
    ],
    [
      'a signature of zeros',
      { signed_timestamp: '00'.repeat(64) },
      [ed25519Record],
      'does not fit',
    ],
    [
      'a signature that is no hexadecimal',
      { signed_timestamp: 'zz' },
      [ed25519Record],
      'does not fit',
    ],
    ['a top level domain', { domain: 'com' }, [ed25519Record], 'is not a domain'],
    ['an address', { domain: '127.0.0.1' }, [ed25519Record], 'is not a domain'],
    ['a path in the domain', { domain: 'example.com/x' }, [ed25519Record], 'is not a domain'],
    ['a port in the domain', { domain: 'example.com:80' }, [ed25519Record], 'is not a domain'],
    ['a name in the domain', { domain: 'a@example.com' }, [ed25519Record], 'is not a domain'],
  ])('refuses %s', async (_, change, records, why) => {
    const { status, told } = await signIn('dns', { ...proof, ...change }, dns(...records))
    expect(status).toBe(401)
    expect(told).toContain(why)
  })

  it('asks to try again while names cannot be resolved', async () => {
    const auth = { dns: { resolve: async () => Promise.reject(new Error('timeout')) } }
    expect(await signIn('dns', proof, auth)).toMatchObject({ status: 503 })
  })
})

describe('signing in by HTTP', () => {
  const url = 'https://example.com/.well-known/mcp-registry-auth'
  const body = { ...proof, domain: 'example.com' }

  it('takes a key of the web site, for the domain alone', async () => {
    const hosts = { [url]: `${p384Record}\n${ed25519Record}\n` }
    expect(await signIn('http', body, { http: true }, hosts)).toMatchObject({
      status: 200,
      told: ['publish com.example/*'],
    })
  })

  it.each<[string, FakeHosts, string]>([
    ['no file', {}, 'answers with status 404'],
    ['a redirect', { [url]: { status: 302, headers: { location: url } } }, 'status 302'],
    ['a page', { [url]: '<html>' }, 'no line of'],
    ['a key of somebody else', { [url]: p384Record }, 'does not fit'],
  ])('refuses %s', async (_, hosts, why) => {
    const { status, told } = await signIn('http', body, { http: true }, hosts)
    expect([status, told]).toEqual([401, expect.stringContaining(why)])
  })
})

describe('signing in by GitHub', () => {
  const github = { apiUrl: 'https://api.git.example', oidcIssuer: 'https://issuer.git.example' }

  it('takes an access token, for its user and public organisations', async () => {
    const hosts: FakeHosts = {
      'https://api.git.example/user': ({ authorization }) =>
        authorization === 'Bearer good' ? { json: { login: 'Ada' } } : 401,
      'https://api.git.example/users/Ada/orgs': { json: [{ login: 'engines' }, { login: '../x' }] },
    }
    const good = await signIn('github-at', { github_token: 'good' }, { github }, hosts)
    expect(good.told).toEqual(['publish io.github.Ada/*', 'publish io.github.engines/*'])
    const bad = await signIn('github-at', { github_token: 'bad' }, { github }, hosts)
    expect([bad.status, bad.told]).toEqual([401, 'No token: GitHub does not accept the token.'])
    const odd = await signIn('github-at', { github_token: 'a\r\nb' }, { github }, hosts)
    expect([odd.status, odd.asked]).toEqual([401, []])
  })

  it('takes the token of a workflow, if it is for us and signed', async () => {
    const keys = await generateKeyPair('RS256')
    const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256' }
    const hosts = { 'https://issuer.git.example/.well-known/jwks': { json: { keys: [jwk] } } }
    const token = (claims: object, audience = 'mcp-registry', issuer = github.oidcIssuer) =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'one' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject('repo:ada/engine')
        .setExpirationTime(now / 1000 + 60)
        .sign(keys.privateKey)
    const classify = async (given: Promise<string>) =>
      (await signIn('github-oidc', { oidc_token: await given }, { github }, hosts)).told
    expect(await classify(token({ repository_owner: 'ada' }))).toEqual(['publish io.github.ada/*'])
    expect(await classify(token({ repository_owner: 'a/b' }))).toContain('repository_owner')
    expect(await classify(token({ repository_owner: 'ada' }, 'other'))).toContain('not accepted')
    const elsewhere = token({ repository_owner: 'ada' }, 'mcp-registry', 'https://evil.example')
    expect(await classify(elsewhere)).toContain('not accepted')
    expect(await classify(Promise.resolve('x.y.z'))).toContain('not accepted')
  })

  it('refuses the token of a workflow by an algorithm that is not expected', async () => {
    const { publicKey, privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const jwk = { ...(await exportJWK(publicKey)), kid: 'one' } // for any algorithm of RSA
    const hosts = { 'https://issuer.git.example/.well-known/jwks': { json: { keys: [jwk] } } }
    const classify = async (alg: string) => {
      const token = await new SignJWT({ repository_owner: 'ada' })
        .setProtectedHeader({ alg, kid: 'one' })
        .setIssuer(github.oidcIssuer)
        .setAudience('mcp-registry')
        .setExpirationTime(now / 1000 + 60)
        .sign(key)
      return (await signIn('github-oidc', { oidc_token: token }, { github }, hosts)).told
    }
    expect(await classify('RS256')).toEqual(['publish io.github.ada/*'])
    expect(await classify('RS512')).toContain('not accepted')
  })
})

describe('tokens', () => {
  const auth = dns(ed25519Record)

  it('allow what they say, and nothing else [REG-02]', async () => {
    await using registry = await openRegistry({ database: ':memory:', auth, now: () => now })
    const { body } = await registry.ask('auth/dns', { body: proof, token: false })
    const { registry_token: token } = body as { registry_token: string }
    const publish = (name: string, bearer: string = token) =>
      registry.ask('publish', { body: documentOf(name, '1.0.0'), token: bearer })
    expect((await publish('com.example/one')).status).toBe(200)
    expect((await publish('com.example.sub/one')).status).toBe(200)
    for (const name of [
      'com.example-evil/one',
      'com.examplex/one',
      'io.github.ada/one',
      'com/one1',
    ]) {
      const refused = await publish(name)
      expect([name, refused.status]).toEqual([name, 403])
      expect(detailOf(refused)).toContain('Your token allows com.example/*, com.example.*')
    }
    expect(detailOf(await publish('io.github.ada/two'))).toContain('must be public')
    // Publishing is not overwriting.
    const path = 'servers/com.example%2Fone/versions/1.0.0'
    const edit = { method: 'PUT', body: documentOf('com.example/one', '1.0.0'), token }
    expect((await registry.ask(path, edit)).status).toBe(403)
    expect((await registry.ask(path, { method: 'DELETE', token })).status).toBe(200)
    const other = 'servers/com.other%2Fone/status'
    const patch = { method: 'PATCH', body: { status: 'deleted' }, token }
    expect((await registry.ask(other, patch)).status).toBe(403)
  })

  it('are refused when they are changed, unsigned, foreign or old', async () => {
    let time = now
    await using registry = await openRegistry({ database: ':memory:', auth, now: () => time })
    const { body } = await registry.ask('auth/dns', { body: proof, token: false })
    const { registry_token: token } = body as { registry_token: string }
    const [head = '', payload = '', signature = ''] = token.split('.')
    const widened = Buffer.from(
      Buffer.from(payload, 'base64url').toString().replace('com.example/*', '*'),
    ).toString('base64url')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    const publicHash = createHash('sha256').update('x').digest()
    const foreign = await new SignJWT({ permissions: [{ action: 'publish', resource: '*' }] })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer('mcp-registry')
      .setExpirationTime(now / 1000 + 60)
      .sign(publicHash)
    const bad = [
      `${head}.${widened}.${signature}`,
      `${none}.${widened}.`,
      foreign,
      'x',
      `${token}x`,
    ]
    for (const one of bad) {
      const answer = await registry.ask('publish', {
        body: documentOf('aa.bb/cc', '1'),
        token: one,
      })
      expect([answer.status, detailOf(answer)]).toEqual([
        401,
        'Invalid or expired Registry JWT token',
      ])
    }
    const missing = await registry.ask('publish', { body: {}, token: false })
    expect([missing.status, missing.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="mcp-registry"',
    ])
    time += 316_000
    const old = await registry.ask('publish', {
      body: documentOf('com.example/x1', '1.0.0'),
      token,
    })
    expect(old.status).toBe(401)
  })

  it('are refused when they name an algorithm that is not ours, however well they are signed', async () => {
    const seed = '33'.repeat(32)
    const key = createPrivateKey({
      key: Buffer.concat([
        Buffer.from('302e020100300506032b657004220420', 'hex'),
        Buffer.from(seed, 'hex'),
      ]),
      format: 'der',
      type: 'pkcs8',
    })
    const own = { ...auth, seed }
    await using registry = await openRegistry({ database: ':memory:', auth: own, now: () => now })
    const publishBy = async (alg: string) => {
      const token = await new SignJWT({ permissions: [{ action: 'publish', resource: '*' }] })
        .setProtectedHeader({ alg })
        .setIssuer('mcp-registry')
        .setExpirationTime(now / 1000 + 60)
        .sign(key)
      const body = documentOf(`com.example/${alg.toLowerCase()}`, '1.0.0')
      return (await registry.ask('publish', { body, token })).status
    }
    // The same key and the same signature: only the name of the algorithm is another one.
    expect([await publishBy('EdDSA'), await publishBy('Ed25519')]).toEqual([200, 401])
  })

  it('are not issued for blocked namespaces', async () => {
    const blocked = { ...auth, blockedNamespaces: ['com.example.bad'] }
    const { status, told } = await signIn('dns', proof, blocked)
    expect([status, told]).toEqual([403, 'No token: the namespace com.example.bad is blocked.'])
  })

  it('are not there for ways that are switched off or do not exist', async () => {
    expect((await signIn('none', {}, {})).status).toBe(501)
    expect((await signIn('dns', proof, {})).status).toBe(501)
    expect((await signIn('magic', {}, {})).status).toBe(404)
    expect(await signIn('dns', { domain: 1 }, auth)).toMatchObject({ status: 422 })
  })

  it('are the same for all registries of one database, and for none of another', async () => {
    const seed = createPrivateKey(ed25519.privateKey.export({ format: 'pem', type: 'pkcs8' }))
      .export({ format: 'der', type: 'pkcs8' })
      .subarray(-32)
      .toString('hex')
    await using one = await openRegistry({ database: ':memory:', auth: { seed } })
    await using same = await openRegistry({ database: ':memory:', auth: { seed } })
    await using other = await openRegistry({ database: ':memory:' })
    const body = documentOf('com.example/one', '1.0.0')
    const token = await one.token()
    expect((await same.ask('publish', { body, token })).status).toBe(200)
    expect((await other.ask('publish', { body, token })).status).toBe(401)
  })
})

describe('a private registry', () => {
  const read = apiKeyGuard({
    'reader-key-0123456789': 'reader',
    'writer-key-0123456789': {
      subject: 'writer',
      scopes: ['mcp-registry:write'],
      claims: { permissions: ['com.example/*'] },
    },
  })

  it('answers known callers only, and lets caches keep nothing for others [REG-06]', async () => {
    await using registry = await openRegistry({ database: ':memory:', auth: { read } })
    const stranger = await registry.ask('servers')
    expect([stranger.status, stranger.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('Bearer'),
    ])
    const reader = await registry.ask('servers', { token: 'reader-key-0123456789' })
    expect(reader.status).toBe(200)
    expect(reader.headers.get('cache-control')).toBe('private, max-age=60')
    expect((await registry.ask('ping')).status).toBe(200)
    expect((await registry.ask('servers', { token: await registry.token() })).status).toBe(200)
  })

  it('lets those publish that somebody else vouches for, below their names', async () => {
    await using registry = await openRegistry({ database: ':memory:', auth: { read } })
    const publish = async (name: string, token: string) =>
      (await registry.ask('publish', { body: documentOf(name, '1.0.0'), token })).status
    expect(await publish('com.example/one', 'writer-key-0123456789')).toBe(200)
    expect(await publish('com.other/one', 'writer-key-0123456789')).toBe(403)
    expect(await publish('com.example/two', 'reader-key-0123456789')).toBe(401)
  })
})
