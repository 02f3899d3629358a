import { connect as connectSocket } from 'node:net'

import { browserAuth, createMemoryTokenStore } from '@parley/auth/client'
import { connect } from '@parley/mcp/client'
import { describe, expect, test } from 'vitest'

import { openLoopbackReceiver } from '../../src/node/loopback-receiver.ts'
import { openWorld } from '../support/world.ts'

const { signal } = new AbortController()

/** Sends a request as no browser would. */
function sendRaw(port: string, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket(Number(port), '127.0.0.1', () => socket.end(request))
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString('latin1')))
    socket.on('end', () => resolve(text))
    socket.on('error', reject)
  })
}

describe('callback takeover: somebody else answers in place of the issuer', () => {
  test('a page of another site that knows the port cannot end the sign-in', async () => {
    await using world = await openWorld()
    const auth = browserAuth({
      store: createMemoryTokenStore(),
      async open(url) {
        const redirect = new URL(url.searchParams.get('redirect_uri') ?? '')
        await fetch(`${redirect.href}?code=evil&state=guess`)
        await fetch(`${redirect.origin}/callback?code=evil&state=${url.searchParams.get('state')}`)
        await fetch(`${redirect.href}?error=access_denied`)
        await fetch(url)
      },
    })

    await (await connect(world.server.url, { auth, protocolVersion: 'legacy' })).close()

    expect(world.issuer.at('/token').map(({ form }) => form.get('code'))).not.toContain('evil')
    expect(world.issuer.at('/token')).toHaveLength(1)
  })

  test('a name that leads to this machine does not make a request local', async () => {
    await using receiver = await openLoopbackReceiver(undefined)
    const { port, pathname } = new URL(receiver.redirectUri)
    let isUsed = false
    void receiver.receive(signal, 's').then(() => (isUsed = true))

    const rejected = await sendRaw(
      port,
      `GET ${pathname}?code=c&state=s HTTP/1.1\r\nHost: evil.example\r\n\r\n`,
    )
    expect(rejected).toContain('404')
    expect(isUsed).toBe(false)

    const taken = await sendRaw(
      port,
      `GET ${pathname}?code=c&state=s HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`,
    )
    expect(taken).toContain('200 OK')
    expect(isUsed).toBe(true)
  })

  test('an address in place of a path leads nowhere else', async () => {
    await using receiver = await openLoopbackReceiver(undefined)
    const { port, pathname } = new URL(receiver.redirectUri)
    void receiver.receive(signal, 's')

    for (const target of [
      `http://evil.example${pathname}?code=c&state=s`,
      `//evil.example${pathname}?code=c&state=s`,
      '*',
    ]) {
      const answer = await sendRaw(port, `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
      expect(answer).not.toContain('200 OK')
    }
  })

  test('only this machine can come', async () => {
    await using receiver = await openLoopbackReceiver(undefined)

    expect(new URL(receiver.redirectUri).hostname).toBe('127.0.0.1')
  })
})
