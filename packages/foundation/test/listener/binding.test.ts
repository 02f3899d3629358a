import { execFile } from 'node:child_process'
import { mkdtemp, readFile, stat } from 'node:fs/promises'
import { request as httpsRequest } from 'node:https'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { readBinding, startListener } from '@parley/foundation/listener'
import { describe, expect, test } from 'vitest'

import { listen } from './listening.ts'

const app = { name: 'test' }

/** One that nobody trusts, for this machine. */
async function makeCertificate(): Promise<{ cert: string; key: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'tls-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const words = ['-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=127.0.0.1', '-days', '1']
  await promisify(execFile)('openssl', ['req', '-x509', ...words, '-keyout', key, '-out', cert])
  return { cert: await readFile(cert, 'utf8'), key: await readFile(key, 'utf8') }
}

describe('which address', () => {
  test.each([
    '0',
    '0.0.0.0',
    '0x0',
    '00',
    '0.0',
    '::',
    '[::]',
    '0:0:0:0:0:0:0:0',
    '::ffff:0.0.0.0',
    '::ffff:0:0',
    '*',
    '',
  ])('takes %j for every address there is', (host) => {
    expect(readBinding(host).reach).toBe('everywhere')
  })

  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['::1', '::1'],
    ['localhost', '127.0.0.1'],
    ['LOCALHOST', '127.0.0.1'],
  ])('takes %j for this machine alone', (host, address) => {
    expect(readBinding(host)).toEqual({ address, reach: 'loopback' })
  })

  test.each(['192.168.1.4', '10.0.0.1', 'fe80::1', 'example.com', '128.0.0.1'])(
    'takes %j for one that others reach',
    (host) => {
      expect(readBinding(host).reach).toBe('network')
    },
  )

  test.each(['a b', 'http://x', 'x/y', '1.2.3.4:80'])('refuses %j', (host) => {
    expect(() => readBinding(host)).toThrow('cannot listen on')
  })
})

test.each(['0.0.0.0', '0', '::', '192.168.1.4'])(
  'listens on %s only when remote access is allowed as well',
  async (host) => {
    await expect(startListener({ host, port: 0, app })).rejects.toThrow('--allow-remote')
  },
)

test('listens on this machine alone unless told otherwise', async () => {
  await using listening = await listen()

  expect(listening.listener.url.hostname).toBe('127.0.0.1')
})

test('who is let near from elsewhere needs the secret all the same', async () => {
  await using listening = await listen({
    host: '0.0.0.0',
    allowRemote: true,
    allowedHosts: ['box.example'],
  })

  const answer = await listening.send({ path: '/api/look', headers: { host: 'box.example' } })

  expect(answer.status).toBe(401)
})

test('takes one of the next ports when the usual one is taken, and only if it may', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  const { port } = taken.address() as AddressInfo

  await using listener = await startListener({ port, portTries: 20, app })
  const refused = startListener({ port, app })

  expect(listener.port).toBeGreaterThan(port)
  await expect(refused).rejects.toThrow('EADDRINUSE')
  taken.close()
})

test('the token for programs is in a file for our user only, gone when we are', async () => {
  const tokenFile = join(tmpdir(), `token-${crypto.randomUUID()}.json`)
  const listening = await listen({ tokenFile })

  const { mode } = await stat(tokenFile)
  const { token, url } = JSON.parse(await readFile(tokenFile, 'utf8')) as {
    token: string
    url: string
  }
  const answer = await listening.send({
    path: '/api/look',
    headers: { authorization: `Bearer ${token}` },
  })
  await listening[Symbol.asyncDispose]()

  expect(mode & 0o777).toBe(0o600)
  expect(url).toBe(listening.listener.url.href)
  expect(answer.status).toBe(200)
  await expect(stat(tokenFile)).rejects.toThrow('ENOENT')
})

test('with a certificate it speaks https only, and its cookie is for that alone', async () => {
  const tls = await makeCertificate()
  await using listener = await startListener({ port: 0, tls, app })
  const secret = listener.createEntryUrl().hash.slice('#secret='.length)

  const { status, cookie } = await new Promise<{ status: number; cookie: string }>(
    (resolve, reject) => {
      const sent = httpsRequest(
        new URL('api/enter', listener.url),
        {
          method: 'POST',
          rejectUnauthorized: false,
          headers: {
            'content-type': 'application/json',
            'x-parley': '1',
            origin: listener.url.origin,
          },
        },
        (response) => {
          response.resume()
          resolve({
            status: response.statusCode ?? 0,
            cookie: response.headers['set-cookie']?.[0] ?? '',
          })
        },
      )
      sent.on('error', reject)
      sent.end(JSON.stringify({ secret }))
    },
  )
  const plain = fetch(listener.url.href.replace('https:', 'http:'))

  expect(listener.url.protocol).toBe('https:')
  expect(status).toBe(200)
  expect(cookie).toMatch(/; Secure$/)
  await expect(plain).rejects.toThrow()
})

test('serves below a base path, and leads there', async () => {
  await using listening = await listen({ basePath: '/tools/inspector' })
  const headers = await listening.enter()

  const page = await listening.send({ path: '/tools/inspector/' })
  const bare = await listening.send({ path: '/tools/inspector' })
  const above = await listening.send({ path: '/' })
  const call = await listening.send({ path: '/tools/inspector/api/look', headers })

  expect(page.status).toBe(200)
  expect([bare.status, bare.headers.location]).toEqual([308, '/tools/inspector/'])
  expect(above.status).toBe(404)
  expect(call.status).toBe(200)
})
