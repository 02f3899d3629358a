import { request } from 'node:https'

import type { ClientCertificate, HttpGuard } from '@parley/mcp/http'
import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { certificate, privateKey } from '../../../../../test-support/certificate.ts'

const tls = { cert: certificate, key: privateKey, ca: certificate }

/** The status that somebody gets, with this certificate or without one. */
function ask(url: URL, shown?: { readonly cert: string; readonly key: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      ca: certificate,
      agent: false,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      ...shown,
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.end('{}')
  })
}

test('over TLS a guard sees what the client has shown', async () => {
  const seen: (ClientCertificate | undefined)[] = []
  const guard: HttpGuard = {
    authenticate(asked) {
      seen.push(asked.certificate?.())
      return { kind: 'deny', status: 403, headers: {}, message: 'no' }
    },
  }
  const server = createServer({ name: 'clock', version: '1.0.0' })
  const service = await serveHttp(server, { port: 0, ownsProcess: false, tls, auth: guard })

  const statuses = [
    await ask(service.url),
    await ask(service.url, { cert: certificate, key: privateKey }),
  ]
  await service.drain({ deadlineMs: 0 })

  expect(service.url.protocol).toBe('https:')
  expect(statuses).toEqual([403, 403])
  expect(seen).toEqual([
    undefined,
    {
      commonName: 'mcp.test',
      alternativeNames: ['DNS:mcp.test', 'IP Address:127.0.0.1'],
      issuer: 'mcp.test',
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      expiresAt: expect.any(Number) as number,
    },
  ])
})

test('who must show a certificate and does not is not heard, and the log says so', async () => {
  const log: string[] = []
  const server = createServer({ name: 'clock', version: '1.0.0' })
  const service = await serveHttp(server, {
    port: 0,
    ownsProcess: false,
    tls: { ...tls, requireCertificate: true },
    onError: (error) => log.push(String(error)),
  })

  await expect(ask(service.url)).rejects.toThrow()
  const known = await ask(service.url, { cert: certificate, key: privateKey })
  expect(() => service.replaceTls?.({ cert: certificate, key: 'nonsense' })).toThrow()
  await service.drain({ deadlineMs: 0 })

  expect(known).toBe(400)
  expect(log.join('\n')).toMatch(
    /a connection of 127\.0\.0\.1 was refused: it showed no certificate/,
  )
})
