import { expect, test } from 'vitest'

import { foreignCommand, serveEverything } from './everything.ts'
import { openPage } from './page-client.ts'

test('a server with faults is warned about, each with what it is about', async () => {
  await using page = await openPage({ servers: [{ name: 'a', entry: foreignCommand }] })
  await page.ask('servers/connect', { name: 'a' })

  const warnings = await page.ask('servers/warnings', { name: 'a' })
  const found = warnings.map(({ about, message }) => `${about}: ${message}`)

  expect(found).toContain('twice: There are 2 of the tool "twice".')
  expect(found).toContain('undescribed: The tool has no description.')
  expect(
    found.some((one) => one.startsWith('root-choice: Its input schema has oneOf at the root')),
  ).toBe(true)
  expect(found).toContain('delete_all: It says it only reads; its name says otherwise.')
  expect(found.some((one) => one.startsWith('huge: Its definition takes about'))).toBe(true)
  expect(
    found.some((one) => one.startsWith('<img src=x onerror=alert(1)>: Its name has letters')),
  ).toBe(true)
  expect(found.some((one) => one.includes('tokens of every conversation (an estimate)'))).toBe(true)
})

test('a good server has no errors, and hosts are said to lose what it has asked for', async () => {
  await using everything = await serveEverything()
  await using page = await openPage({ servers: [{ name: 'all', entry: everything.entry }] })
  await page.ask('servers/connect', { name: 'all' })
  await page.ask('rules/save', {
    rules: [{ id: 'no', kind: 'sampling', answer: { action: 'decline' }, enabled: true }],
  })
  const before = await page.ask('servers/profiles', { name: 'all' })
  await page.ask('runs/start', {
    server: 'all',
    run: 's',
    method: 'tools/call',
    params: { name: 'trigger-sampling-request', arguments: { prompt: 'Why?' } },
  })
  const after = await page.ask('servers/profiles', { name: 'all' })

  const lossOf = (profiles: typeof before, host: string) =>
    profiles.find((one) => one.host === host)?.loses.join('\n')
  expect(before.every(({ source }) => source.startsWith('https://'))).toBe(true)
  expect(lossOf(before, 'Cursor')).toBe('')
  expect(lossOf(after, 'Cursor')).toContain('questions to the model')
  expect(lossOf(after, 'Chat-completions APIs')).toContain('prompts')
})
