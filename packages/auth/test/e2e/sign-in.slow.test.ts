import { setTimeout as wait } from 'node:timers/promises'

import { browserAuth, createMemoryTokenStore, type TokenStore } from '@parley/auth/client'
import { connect, type Client } from '@parley/mcp/client'
import { expect, onTestFinished, test } from 'vitest'

import { describeInChromium, type PersonInChromium } from './person-in-chromium.ts'
import { createRevocableStore, serveNotes } from './protected-notes.ts'

interface Opened {
  readonly store?: TokenStore
  readonly era?: 'legacy' | 'modern'
}

async function open(url: URL, person: PersonInChromium, options: Opened = {}): Promise<Client> {
  const { store = createMemoryTokenStore(), era: protocolVersion = 'modern' } = options
  const auth = browserAuth({ clientName: 'Notes app', store, open: (page) => person.open(page) })
  const client = await connect(url, { auth, protocolVersion })
  onTestFinished(() => client.close())
  return client
}

async function call(client: Client, tool: string): Promise<unknown> {
  const { content } = await client.callTool(tool)
  return content[0]?.type === 'text' ? content[0].text : content
}

/** Until a token that lives for a second is of no use to its client. */
const oneLife = () => wait(1_100)

describeInChromium('a person at a browser', (createPerson) => {
  test.each(['legacy', 'modern'] as const)(
    'signs in, allows, and is asked again for what needs more (%s) [N11-AUTH-15] [N07-AUTH-09]',
    async (era) => {
      const { url } = await serveNotes()
      const ada = await createPerson('ada')

      const client = await open(url, ada, { era })
      const before = await call(client, 'read')
      const written = await call(client, 'write')
      const after = await call(client, 'read')

      expect([before, written, after]).toEqual(['nothing', 'written', 'a note of ada'])
      expect(ada.read).toEqual(['Sign in', 'Allow Notes app?', 'Allow Notes app?'])
      expect(ada.allowed).toEqual([['read your notes'], ['read your notes', 'change your notes']])
    },
  )

  test('notices nothing when tokens expire', async () => {
    const notes = await serveNotes({ accessTokenSeconds: 1 })
    const ada = await createPerson('ada')
    const client = await open(notes.url, ada)

    await oneLife()
    const first = await call(client, 'read')
    await oneLife()
    const second = await call(client, 'read')

    expect([first, second]).toEqual(['nothing', 'nothing'])
    expect(ada.visited).toHaveLength(1)
    expect(notes.tokensBy('refresh_token')).toBeGreaterThanOrEqual(2)
  })

  test('is asked again once what they allowed was taken back', async () => {
    const notes = await serveNotes({ accessTokenSeconds: 1 })
    const ada = await createPerson('ada')
    const { store, revoke } = createRevocableStore(notes.url)
    const client = await open(notes.url, ada, { store })

    const revoked = await revoke()
    await oneLife()
    const read = await call(client, 'read')

    expect(revoked.status).toBe(200)
    expect(read).toBe('nothing')
    expect(ada.visited).toHaveLength(2)
    expect(notes.events).toContainEqual(
      expect.objectContaining({ type: 'token_refused', grant: 'refresh_token' }),
    )
  })

  test('is asked again at once by a server that asks its issuer, and may say no', async () => {
    const notes = await serveNotes({ asks: true })
    const ada = await createPerson('ada')
    const { store, revoke } = createRevocableStore(notes.url)
    const client = await open(notes.url, ada, { store })
    await call(client, 'read')

    await revoke()
    ada.answer = 'Deny'
    const attempt = call(client, 'read')

    await expect(attempt).rejects.toMatchObject({
      code: 'unauthorized',
      cause: { code: 'access_denied' },
    })
    expect(ada.visited).toHaveLength(2)
  })

  test('who does not allow it is not signed in', async () => {
    const notes = await serveNotes()
    const ada = await createPerson('ada')
    ada.answer = 'Deny'

    const attempt = open(notes.url, ada)

    await expect(attempt).rejects.toMatchObject({
      code: 'unauthorized',
      cause: { code: 'access_denied' },
    })
    expect(notes.tokensBy('authorization_code')).toBe(0)
  })

  test('sees nothing of somebody else at another', async () => {
    const { url } = await serveNotes()
    const ada = await open(url, await createPerson('ada'))
    const bob = await open(url, await createPerson('bob'))

    await call(ada, 'write')

    expect(await call(bob, 'read')).toBe('nothing')
    expect(await call(ada, 'read')).toBe('a note of ada')
  })
})
