import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { interactive, memoryStore } from '@parley/auth/client'
import { connect } from '@parley/mcp/client'
import { expect, onTestFinished, test } from 'vitest'

import { serveNotes } from '../authorization-server.ts'

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // listening on an address, not a pipe
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Fills in the two pages as a person does. */
async function visit(start: string): Promise<void> {
  const jar = new Map<string, string>()
  async function go(url: string, init: RequestInit = {}): Promise<{ url: string; page: string }> {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    const location = response.headers.get('location')
    return location === null
      ? { url, page: await response.text() }
      : go(new URL(location, url).href)
  }

  const signIn = await go(start)
  const consent = await send(signIn, { name: 'ada', password: 'correct horse', answer: 'sign-in' })
  await send(consent, { answer: 'allow' })

  function send(from: { url: string; page: string }, form: Record<string, string>) {
    const token = /name="token" value="([^"]+)"/.exec(from.page)?.[1] ?? ''
    return go(from.url, { method: 'POST', body: new URLSearchParams({ ...form, token }) })
  }
}

test('somebody signs in at the program itself and lists their notes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'notes-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const url = new URL(`http://127.0.0.1:${await freePort()}/mcp`)
  const { service, users } = await serveNotes({ url, folder })
  onTestFinished(async () => void (await service.drain({ deadlineMs: 0 })))
  await users.add('ada', 'correct horse')

  const auth = interactive({ store: memoryStore(), open: ({ href }) => visit(href) })
  await using client = await connect(url, { auth })
  const { content } = await client.callTool('list_notes', {})

  expect(content).toEqual([{ type: 'text', text: 'no notes' }])
})
