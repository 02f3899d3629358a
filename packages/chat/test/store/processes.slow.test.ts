import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { openConversationStore } from '@parley/chat'
import { readAuditLog, verifyAuditLog } from '@parley/foundation/audit'
import { createFileConsentStore, type TranscriptEntry } from '@parley/host'
import { expect, onTestFinished, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'

const program = fileURLToPath(new URL('../fixtures/account-process.mjs', import.meta.url))

function start(folder: string, name: string, count: number) {
  const child = spawn(execPath, [program, folder, name, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, lines: createInterface({ input: child.stdout }) }
}

function textsOf(entries: readonly TranscriptEntry[] = []): readonly string[] {
  return entries.flatMap((entry) =>
    entry.kind === 'message' && entry.message.role === 'user'
      ? entry.message.content.map((part) => (part.type === 'text' ? part.text : ''))
      : [],
  )
}

test('two processes on one account lose no message, no answer and no record', async () => {
  const folder = folderWith({})
  const store = openConversationStore({ file: `${folder}/chat.db` })
  onTestFinished(() => store[Symbol.asyncDispose]())
  const shared = await store.create({ model: 'm', title: 'shared' })
  const count = 25

  const running = ['left', 'right'].map((name) => start(folder, name, count))
  const codes = await Promise.all(running.map(({ child }) => once(child, 'exit')))

  expect(codes.map(([code]: unknown[]) => code)).toEqual([0, 0])
  const said = (name: string) => Array.from({ length: count }, (_, at) => `${name} says ${at + 1}`)
  const inShared = textsOf((await store.load(shared.id))?.transcript.entries)
  expect(inShared.filter((text) => text.startsWith('left'))).toEqual(said('left'))
  expect(inShared.filter((text) => text.startsWith('right'))).toEqual(said('right'))
  for (const name of ['left', 'right']) {
    const [own] = await store.list({ search: name })
    expect(own).toMatchObject({ turns: count })
  }
  const { answers } = await createFileConsentStore(`${folder}/consent.json`).read()
  expect(answers).toHaveLength(2 * count)
  const calls = new Set<unknown>()
  for await (const { record } of readAuditLog(`${folder}/audit.jsonl`)) calls.add(record['call'])
  expect(calls.size).toBe(2 * count)
  expect(await verifyAuditLog(`${folder}/audit.jsonl`)).toMatchObject({ isIntact: true })
})

test('a process that is killed loses nothing that was acknowledged', async () => {
  const folder = folderWith({})
  for (const after of [1, 4, 9]) {
    const { child, lines } = start(folder, `victim${after}`, 1_000_000)
    let id = ''
    let acknowledged = 0
    for await (const line of lines) {
      const [what, value = ''] = line.split(' ')
      if (what === 'conversation') id = value
      else acknowledged = Number(value)
      if (acknowledged === after) child.kill('SIGKILL')
    }

    const store = openConversationStore({ file: `${folder}/chat.db` })
    const texts = textsOf((await store.load(id))?.transcript.entries)
    await store[Symbol.asyncDispose]()

    expect(acknowledged).toBeGreaterThanOrEqual(after)
    expect(texts.slice(0, acknowledged)).toEqual(
      Array.from({ length: acknowledged }, (_, at) => `victim${after} says ${at + 1}`),
    )
  }
  expect(await verifyAuditLog(`${folder}/audit.jsonl`)).toMatchObject({ isIntact: true })
})
