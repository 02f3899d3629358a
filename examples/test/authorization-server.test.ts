import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { browserAuth, createMemoryTokenStore } from '@parley/auth/client'
import { connect } from '@parley/mcp/client'
import { expect, onTestFinished, test } from 'vitest'

import { findFreePort } from '../../test-support/free-port.ts'
import { serveNotes } from '../authorization-server.ts'
import { createVisitor } from './visitor.ts'

/** Fills in the two pages as a person does. */
async function visit(start: string): Promise<void> {
  const { go, send } = createVisitor()
  const signIn = await go(start)
  const consent = await send(signIn, { name: 'ada', password: 'correct horse', answer: 'sign-in' })
  await send(consent, { answer: 'allow' })
}

test('somebody signs in at the program itself and lists their notes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'notes-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const url = new URL(`http://127.0.0.1:${await findFreePort()}/mcp`)
  const { service, users } = await serveNotes({ url, folder })
  onTestFinished(async () => void (await service.drain({ deadlineMs: 0 })))
  await users.add('ada', 'correct horse')

  const auth = browserAuth({ store: createMemoryTokenStore(), open: ({ href }) => visit(href) })
  await using client = await connect(url, { auth })
  const { content } = await client.callTool('list_notes', {})

  expect(content).toEqual([{ type: 'text', text: 'no notes' }])
})
