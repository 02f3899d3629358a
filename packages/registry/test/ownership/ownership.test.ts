import { createOutgoing, type OwnershipOptions } from '@parley/registry'
import { describe, expect, it } from 'vitest'

import { fakeOutgoing, type FakeHosts } from '../fake-hosts.ts'
import { detailOf, documentOf, openRegistry } from '../registry-under-test.ts'

const name = 'com.example/one'
const stdio = { type: 'stdio' }
const digest = `sha256:${'a'.repeat(64)}`
const options: OwnershipOptions = {
  npm: 'https://npm.test',
  pypi: 'https://pypi.test',
  nuget: 'https://nuget.test',
  cargo: 'https://crates.test',
}

/** Publishes with one package, and says what came of it. */
async function publishWith(one: object, hosts: FakeHosts) {
  const { outgoing, asked } = fakeOutgoing(hosts)
  await using registry = await openRegistry({ database: ':memory:', ownership: options, outgoing })
  const packages = [{ transport: stdio, ...one }]
  const answer = await registry.publish(documentOf(name, '1.0.0', { packages }))
  return { status: answer.status, why: answer.status === 200 ? '' : detailOf(answer), asked }
}

const npm = { registryType: 'npm', identifier: '@scope/one', version: '1.0.0' }
const pypi = { registryType: 'pypi', identifier: 'one', version: '1.0.0' }
const nuget = { registryType: 'nuget', identifier: 'One.Server', version: '1.0.0' }
const cargo = { registryType: 'cargo', identifier: 'one', version: '1.0.0' }
const oci = { registryType: 'oci', identifier: 'ghcr.io/ada/one:1.0.0' }
const mcpb = {
  registryType: 'mcpb',
  identifier: 'https://github.com/ada/one/releases/download/v1/one.mcpb',
  fileSha256: 'b'.repeat(64),
}
const npmUrl = 'https://npm.test/@scope%2Fone/1.0.0'
const pypiUrl = 'https://pypi.test/pypi/one/1.0.0/json'
const nugetUrl = 'https://nuget.test/v3-flatcontainer/one.server/1.0.0/readme'
const cargoUrl = 'https://crates.test/api/v1/crates/one/1.0.0/readme'
const imageUrl = 'https://ghcr.io/v2/ada/one'

const image = (label: string): FakeHosts => ({
  [`${imageUrl}/manifests/1.0.0`]: ({ authorization }) =>
    authorization === 'Bearer anon'
      ? { json: { manifests: [{ digest }] } }
      : {
          status: 401,
          headers: {
            'www-authenticate':
              'Bearer realm="https://ghcr.io/token",service="ghcr.io",scope="repository:ada/one:pull"',
          },
        },
  'https://ghcr.io/token?service=ghcr.io&scope=repository%3Aada%2Fone%3Apull': {
    json: { token: 'anon' },
  },
  [`${imageUrl}/manifests/${digest}`]: { json: { config: { digest } } },
  [`${imageUrl}/blobs/${digest}`]: {
    json: { config: { Labels: { 'io.modelcontextprotocol.server.name': label } } },
  },
})

describe('ownership of packages', () => {
  it.each<[string, object, FakeHosts]>([
    ['npm', npm, { [npmUrl]: { json: { mcpName: name } } }],
    [
      'pypi',
      pypi,
      { [pypiUrl]: { json: { info: { description: `# One\nmcp-name: ${name}\n` } } } },
    ],
    ['nuget', nuget, { [nugetUrl]: `<!-- mcp-name: ${name} -->` }],
    [
      'cargo',
      cargo,
      {
        [cargoUrl]: { json: { url: 'https://static.crates.test/readme' } },
        'https://static.crates.test/readme': `<p>mcp-name: ${name}</p>`,
      },
    ],
    ['oci', oci, image(name)],
    ['mcpb', mcpb, { [mcpb.identifier]: 200 }],
  ])('is proven by %s', async (_, one, hosts) => {
    expect(await publishWith(one, hosts)).toMatchObject({ status: 200 })
  })

  it.each<[string, object, FakeHosts, string]>([
    [
      'an npm package of somebody else',
      npm,
      { [npmUrl]: { json: { mcpName: `${name}-2` } } },
      'add "mcpName": "com.example/one"',
    ],
    ['an npm package without name', npm, { [npmUrl]: { json: {} } }, 'has no mcpName'],
    ['an npm package that is not there', npm, {}, 'was not found'],
    [
      'a longer name in a README',
      pypi,
      { [pypiUrl]: { json: { info: { description: `mcp-name: ${name}-evil` } } } },
      'has no line',
    ],
    ['a README without name', nuget, { [nugetUrl]: 'hello' }, 'has no line'],
    [
      'a README that leads elsewhere',
      cargo,
      {
        [cargoUrl]: { json: { url: 'https://evil.test/readme' } },
        'https://evil.test/readme': `mcp-name: ${name}`,
      },
      'is not asked',
    ],
    ['an image of somebody else', oci, image('com.example/two'), 'has "com.example/two" as label'],
    ['a file that is not there', mcpb, {}, 'was not found'],
    ['answers that are no JSON', npm, { [npmUrl]: '<html>' }, 'has no mcpName'],
  ])('is not proven by %s', async (_, one, hosts, why) => {
    const answer = await publishWith(one, hosts)
    expect(answer.status).toBe(400)
    expect(answer.why).toContain(why)
  })

  it('is asked for again later if the host is busy', async () => {
    const answer = await publishWith(npm, { [npmUrl]: 503 })
    expect(answer.status).toBe(503)
    expect(answer.why).toContain('Try again later')
    expect(answer.asked).toEqual([npmUrl, npmUrl])
  })

  it('is asked for once', async () => {
    const { outgoing, asked } = fakeOutgoing({ [npmUrl]: { json: { mcpName: name } } })
    await using registry = await openRegistry({
      database: ':memory:',
      ownership: options,
      outgoing,
    })
    const packages = [{ transport: stdio, ...npm }]
    for (const version of ['1.0.0', '1.0.1']) {
      expect((await registry.publish(documentOf(name, version, { packages }))).status).toBe(200)
    }
    expect(asked).toHaveLength(1)
  })

  it('is asked for at the home of the kind, wherever the document points', async () => {
    const elsewhere = { ...npm, registryBaseUrl: 'https://evil.test' }
    const answer = await publishWith(elsewhere, { 'https://evil.test/one': { json: {} } })
    expect([answer.status, answer.asked]).toEqual([400, []])
    expect(answer.why).toContain('must be https://npm.test for npm')
    const outside = await publishWith({ ...npm, identifier: '../../admin' }, {})
    expect(outside.asked).toEqual(['https://npm.test/..%2F..%2Fadmin/1.0.0'])
  })
})

describe('requests to other hosts', () => {
  /** A name that has this address. */
  const leadingTo = (address: string) =>
    createOutgoing({
      lookup: (_, __, done) => done(null, [{ address, family: address.includes(':') ? 6 : 4 }]),
    })

  it.each([
    ['https://127.0.0.1/', '93.184.215.14'],
    ['https://[::1]/', '93.184.215.14'],
    ['https://169.254.169.254/latest/meta-data', '93.184.215.14'],
    ['https://2130706433/', '93.184.215.14'],
    ['https://internal.test/', '10.0.0.1'],
    ['https://internal.test/', '127.0.0.1'],
    ['https://internal.test/', '::ffff:127.0.0.1'],
    ['https://internal.test/', 'fd00::1'],
    ['http://public.test/', '93.184.215.14'],
    ['https://user:pass@public.test/', '93.184.215.14'],
    ['file:///etc/passwd', '93.184.215.14'],
    ['gopher://public.test/', '93.184.215.14'],
  ])('do not go to %s with the address %s', async (url, address) => {
    await expect(leadingTo(address)(url)).rejects.toMatchObject({
      name: 'OutgoingError',
      reason: 'refused',
    })
  })

  it.each([
    ['https://127.0.0.1/', 'it has no address of the public internet'],
    ['https://169.254.169.254/latest/meta-data', 'it has no address of the public internet'],
    ['https://[::ffff:10.0.0.1]/', 'it has no address of the public internet'],
    ['http://public.test/', 'the URL is not https'],
    ['https://user:pass@public.test/', 'the URL contains a user name or password'],
  ])('do not follow a redirect to %s', async (location, why) => {
    const asked: string[] = []
    const outgoing = createOutgoing({
      fetch: async (to) => {
        asked.push(to)
        return new Response(null, { status: 302, headers: { location } })
      },
    })
    await expect(outgoing('https://public.test/', { maxRedirects: 3 })).rejects.toMatchObject({
      reason: 'refused',
      message: expect.stringContaining(why),
    })
    expect(asked).toEqual(['https://public.test/'])
  })

  it('are refused before a token is issued or a version stored', async () => {
    const outgoing = leadingTo('127.0.0.1')
    const auth = { http: true }
    const ownership = { npm: 'https://npm.test' }
    await using registry = await openRegistry({ database: ':memory:', auth, ownership, outgoing })
    const timestamp = new Date().toISOString()
    const body = { domain: 'rebind.test', timestamp, signed_timestamp: '00'.repeat(64) }
    const signedIn = await registry.ask('auth/http', { body, token: false })
    expect([signedIn.status, detailOf(signedIn)]).toEqual([
      401,
      expect.stringContaining('no address of the public internet'),
    ])
    const packages = [{ transport: stdio, ...npm }]
    const published = await registry.publish(documentOf(name, '1.0.0', { packages }))
    expect(published.status).toBe(400)
    expect((await registry.ask('servers')).body).toMatchObject({ servers: [] })
  })
})
