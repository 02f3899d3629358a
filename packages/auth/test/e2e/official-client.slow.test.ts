import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

import {
  Client,
  StreamableHTTPClientTransport,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
} from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'

import { toleranceSeconds } from '../../src/resource/access-token.ts'
import { describeInChromium, type PersonInChromium } from './person-in-chromium.ts'
import { serveNotes } from './protected-notes.ts'

/** What the official client wants from a program: places to keep things, and a way to the person. */
async function createProgram(person: PersonInChromium) {
  const callbacks: URL[] = []
  const listener = createServer(({ url = '' }, response) => {
    if (url.startsWith('/callback')) callbacks.push(new URL(url, 'http://127.0.0.1'))
    response.end('back at the program')
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    listener.closeAllConnections()
    await new Promise((resolve) => listener.close(resolve))
  })
  const { port } = listener.address() as AddressInfo // listening on an address, not a pipe
  const redirectUrl = `http://127.0.0.1:${port}/callback`

  let client: OAuthClientInformationMixed | undefined
  let tokens: OAuthTokens | undefined
  let discovered: OAuthDiscoveryState | undefined
  let verifier = ''
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: {
      client_name: 'Official',
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    },
    clientInformation: () => client,
    saveClientInformation: (given) => void (client = given),
    tokens: () => tokens,
    saveTokens: (given) => void (tokens = given),
    discoveryState: () => discovered,
    saveDiscoveryState: (given) => void (discovered = given),
    codeVerifier: () => verifier,
    saveCodeVerifier: (given) => void (verifier = given),
    redirectToAuthorization: (url) => person.open(url),
  }
  return { provider, callback: () => callbacks.at(-1)?.searchParams ?? new URLSearchParams() }
}

/** Connects, and comes back from the browser as the official client asks its users to. */
async function openOfficial(
  url: URL,
  person: PersonInChromium,
  mode: 'legacy' | 'auto',
): Promise<{ client: Client; finish(): Promise<void> }> {
  const { provider, callback } = await createProgram(person)
  const open = () => new Client({ name: 'official', version: '2.0.0' }, negotiation)
  const negotiation = { versionNegotiation: { mode } }
  const first = new StreamableHTTPClientTransport(url, { authProvider: provider })
  await expect(open().connect(first)).rejects.toThrow(/unauthorized/i)
  await first.finishAuth(callback())

  const client = open()
  const transport = new StreamableHTTPClientTransport(url, { authProvider: provider })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return { client, finish: () => transport.finishAuth(callback()) }
}

describeInChromium('a person with the official client', (createPerson) => {
  test.each(['legacy', 'auto'] as const)(
    'signs in, calls, and allows more when a tool needs more (%s)',
    async (mode) => {
      const { url } = await serveNotes()
      const ada = await createPerson('ada')

      const { client, finish } = await openOfficial(url, ada, mode)
      const read = await client.callTool({ name: 'read' })
      await expect(client.callTool({ name: 'write' })).rejects.toThrow(/unauthorized/i)
      await finish()
      const written = await client.callTool({ name: 'write' })

      expect(read.content).toMatchObject([{ text: 'nothing' }])
      expect(written.content).toMatchObject([{ text: 'written' }])
      expect(ada.read).toEqual(['Sign in', 'Allow Official?', 'Allow Official?'])
      expect(ada.allowed.at(-1)).toContain('change your notes')
    },
  )

  test('notices nothing when tokens expire', async () => {
    const notes = await serveNotes({ accessTokenSeconds: 1 })
    const ada = await createPerson('ada')
    const { client } = await openOfficial(notes.url, ada, 'auto')

    await wait((toleranceSeconds + 2) * 1000)
    const read = await client.callTool({ name: 'read' })

    expect(read.content).toMatchObject([{ text: 'nothing' }])
    expect(ada.visited).toHaveLength(1)
    expect(notes.tokensBy('refresh_token')).toBeGreaterThanOrEqual(1)
  })
})
