import { copyFileSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'

import { apiKeyGuard } from '@parley/auth/resource'
import {
  gatewayOptions,
  loadGatewayConfig,
  type Gateway,
  type GatewayOptions,
} from '@parley/gateway'
import { createServer } from '@parley/mcp/server'
import { expect, test, vi } from 'vitest'

import { findOpenssl } from '../../../../test-support/programs.ts'
import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { serveTest, startTestGateway } from '../gateway/running.ts'
import { createAuthority, type Authority } from './certificates.ts'

const hasOpenssl = findOpenssl() !== undefined

interface Shown {
  readonly cert: string
  readonly key: string
}

/** One call, as a program with this certificate makes it. */
function call(
  { url }: Gateway,
  authority: Authority,
  shown?: Shown,
  headers: Record<string, string> = {},
): Promise<{ readonly status: number; readonly body: string; readonly serverName: string }> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'one__echo',
      arguments: {},
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      },
    },
  })
  const agent = new Agent({
    ca: readFileSync(authority.file),
    keepAlive: false,
    maxCachedSessions: 0,
    ...(shown && { cert: readFileSync(shown.cert), key: readFileSync(shown.key) }),
  })
  return new Promise((resolve, reject) => {
    const sent = request(url ?? '', {
      agent,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'one__echo',
        ...headers,
      },
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      const socket = response.socket as unknown as {
        getPeerCertificate(): { subject: { CN: string } }
      } // over TLS
      const serverName = socket.getPeerCertificate().subject.CN
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: text, serverName }),
      )
    })
    sent.end(body)
  })
}

async function start(options: Partial<GatewayOptions> & { readonly isRequired?: boolean } = {}) {
  const { isRequired = false, ...rest } = options
  const folder = folderWith({})
  const authority = createAuthority(folder, 'house')
  const { cert, key } = authority.issue('gateway', { names: 'IP:127.0.0.1' })
  const server = createServer({ name: 'echo', version: '1.0.0' })
  server.tool('echo', {}, () => 'hello')
  const service = await serveTest(server)
  const log: string[] = []
  const gateway = await startTestGateway({
    servers: { one: { url: service.url.href } },
    tls: { cert, key, clientCa: authority.file, requireClientCert: isRequired },
    onError: (error) => log.push(String(error)),
    ...rest,
  })
  await gateway.started
  return {
    folder,
    authority,
    gateway,
    log,
    async [Symbol.asyncDispose]() {
      await gateway.close()
      await service.drain({ deadlineMs: 0 })
    },
  }
}

test.skipIf(!hasOpenssl)('who a certificate names is the caller, for every rule', async () => {
  const seen: unknown[] = []
  await using world = await start({
    checks: [
      {
        name: 'look',
        before({ caller }) {
          seen.push([caller.claims['iss'], caller.claims['sub'], caller.keyId])
          const isAda = caller.claims['sub'] === 'spiffe://house/ada'
          return isAda ? undefined : { rejected: true, rule: 'ada', message: 'only ada may' }
        },
      },
    ],
  })
  const { gateway, authority } = world
  const ada = authority.issue('ada', { names: 'URI:spiffe://house/ada,DNS:ada.example' })
  const bob = authority.issue('bob')

  const first = await call(gateway, authority, ada)
  const second = await call(gateway, authority, bob)

  expect([first.status, second.status]).toEqual([200, 200])
  expect(first.body).toContain('hello')
  expect(second.body).toContain('only ada may')
  expect(seen).toEqual([
    ['certificate', 'spiffe://house/ada', expect.stringMatching(/^[0-9a-f]{64}$/)],
    ['certificate', 'bob', expect.stringMatching(/^[0-9a-f]{64}$/)],
  ])
})

test.skipIf(!hasOpenssl)(
  'certificates that have expired, or are from strangers, are refused with a sentence in the log',
  async () => {
    await using world = await start()
    const { gateway, authority, log, folder } = world
    const old = authority.issue('ada', { isExpired: true })
    const foreign = createAuthority(folder, 'stranger').issue('eve')

    const answers = [
      await call(gateway, authority, old),
      await call(gateway, authority, foreign),
      await call(gateway, authority),
    ]

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401])
    expect(answers.map(({ body }) => /"message":"([^"]*)"/.exec(body)?.[1])).toEqual([
      'its certificate has expired',
      'its certificate is from an authority that this server does not know',
      'this gateway needs a client certificate',
    ])
    expect(log.join('\n')).toContain(
      'the certificate of "ada" was refused: its certificate has expired',
    )
    expect(log.join('\n')).toContain(
      'the certificate of "eve" was refused: its certificate is from an authority',
    )
  },
)

test.skipIf(!hasOpenssl)(
  'others may have a key; one who shows a bad certificate may not',
  async () => {
    const key = 'key-of-ada-0123456789'
    await using world = await start({ auth: apiKeyGuard({ [key]: 'ada' }) })
    const { gateway, authority } = world
    const old = authority.issue('ada', { isExpired: true })

    const good = await call(gateway, authority, undefined, { 'x-api-key': key })
    const bad = await call(gateway, authority, old, { 'x-api-key': key })

    expect([good.status, bad.status]).toEqual([200, 401])
  },
)

test.skipIf(!hasOpenssl)('with requireClientCert nobody else is heard at all', async () => {
  await using world = await start({ isRequired: true })
  const { gateway, authority, log } = world
  const ada = authority.issue('ada')

  const good = await call(gateway, authority, ada)
  await expect(call(gateway, authority)).rejects.toThrow()

  expect(good.status).toBe(200)
  await vi.waitFor(() => expect(log.join('\n')).toContain('it showed no certificate'))
})

test.skipIf(!hasOpenssl)('files that are written are used for new connections', async () => {
  await using world = await start()
  const { gateway, authority, folder, log } = world
  const ada = authority.issue('ada')
  expect((await call(gateway, authority, ada)).serverName).toBe('gateway')

  const next = authority.issue('renewed', { names: 'IP:127.0.0.1' })
  copyFileSync(next.key, join(folder, 'gateway.key'))
  copyFileSync(next.cert, join(folder, 'gateway.pem'))

  await vi.waitFor(async () =>
    expect((await call(gateway, authority, ada)).serverName).toBe('renewed'),
  )
  copyFileSync(ada.key, join(folder, 'gateway.key'))
  await vi.waitFor(() => expect(log.join('\n')).toContain('those from before stay'))
  expect((await call(gateway, authority, ada)).serverName).toBe('renewed')
})

test.skipIf(!hasOpenssl)(
  'the file says where they are, and mistakes are told with their line',
  async () => {
    const folder = folderWith({})
    const authority = createAuthority(folder, 'house')
    const { cert, key } = authority.issue('gateway', { names: 'IP:127.0.0.1' })
    const problemsOf = async (tls: string) => {
      const text = `servers:\n  one: { url: "https://one.example/mcp" }\nlisten:\n  http: 0.0.0.0:8443\n  url: "https://gw.example/mcp"\n  tls: ${tls}\n`
      const path = join(folderWith({ 'gateway.yaml': text }), 'gateway.yaml')
      const { config, problems } = await loadGatewayConfig(path)
      const told = problems.map((each) => `${each.line} ${each.key} ${each.message} | ${each.fix}`)
      return { config, told }
    }

    const good = await problemsOf(`{ cert: ${cert}, key: ${key}, clientCa: ${authority.file} }`)
    const lone = await problemsOf(`{ cert: ${cert} }`)
    const open = await problemsOf(`{ cert: ${cert}, key: ${key} }`)
    const required = await problemsOf(`{ cert: ${cert}, key: ${key}, requireClientCert: true }`)
    const mixed = await problemsOf(
      `{ cert: ${cert}, key: ${join(folder, 'house.key')}, clientCa: ${authority.file} }`,
    )

    expect(good.told).toEqual([])
    expect(gatewayOptions(good.config).tls).toMatchObject({ cert, key, clientCa: authority.file })
    expect(lone.told).toContain('6 listen.tls has no key | Add key: key.pem.')
    expect(open.told.join()).toContain('without auth | Use 127.0.0.1, or add auth.')
    expect(required.told).toContain(
      '6 listen.tls.requireClientCert needs clientCa | Add clientCa: ca.pem, the authority that issues certificates of callers.',
    )
    expect(mixed.told.join()).toMatch(
      /^6 listen\.tls cannot be used: .*key.* \| Name a certificate and its key in PEM\.$/,
    )
  },
)
