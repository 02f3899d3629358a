import { readFileSync } from 'node:fs'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { openPseudoTerminal, withoutCodes } from '../../../../test-support/pseudo-terminal.ts'
import { folderWith } from '../../../../test-support/temporary-folder.ts'

const program = fileURLToPath(new URL('../fixtures/terminal-process.mjs', import.meta.url))

function settings(text: string, when: 'before' | 'after'): string | undefined {
  return new RegExp(`^${when} (\\S+)$`, 'm').exec(withoutCodes(text))?.[1]
}

test('a whole story at a real terminal: consent, form, link, sampling, export; everything is restored', async () => {
  const cwd = folderWith({})
  const { type, sees, raw, exited, forget } = openPseudoTerminal([execPath, program], { cwd })
  await sees('/help lists what you can do here')
  const before = settings(raw(), 'before')

  type('call add {"text":"milk"}\r')
  await sees('Allow this call\\?')
  await sees('The server says: it may destroy something')
  type('y')
  await sees('It answered: Added milk\\.')

  forget()
  type('call ask\r')
  await sees('Allow this call\\?')
  type('y')
  await sees('Your name \\(1 of 4\\)')
  type('Ada\r')
  await sees('\\(2 of 4\\)')
  type('\u001b[B\r')
  await sees('\\(3 of 4\\)')
  type('y')
  await sees('\\(4 of 4\\)')
  type('9\r')
  await sees('! .*5')
  type('\u007f3\r')
  await sees('This is sent')
  type('\r')
  await sees('"size":"large","hot":true,"count":3')

  forget()
  type('call link\r')
  await sees('Allow this call\\?')
  type('y')
  await sees('login\\.very-long-host-name\\.example\\.com')
  type('n')
  await sees('It answered: decline')

  forget()
  type('call sample\r')
  await sees('Allow this call\\?')
  type('y')
  await sees('notes wants an answer of the model')
  type('y')
  await sees('Give this answer to notes')
  forget()
  type('y')
  await sees('It answered: (?!decline)[^]*hello')

  type('/export story.json\r')
  await sees('written to ')
  type('/quit\r')
  await exited

  expect(withoutCodes(raw())).toContain('[exit 0]')
  expect(before).toBeDefined()
  expect(settings(raw(), 'after')).toBe(before)
  expect(raw()).toContain('\u001b[?2004l')
  expect(raw().lastIndexOf('\u001b[?25h')).toBeGreaterThan(raw().lastIndexOf('\u001b[?25l'))
  expect(JSON.parse(readFileSync(`${cwd}/story.json`, 'utf8'))).toMatchObject({
    kind: 'parley-conversation',
  })
})

test('keys stop a turn and leave; a paste is not sent by its line ends; codes of others are not obeyed', async () => {
  const { type, sees, raw, exited, forget } = openPseudoTerminal([execPath, program], {
    columns: 40,
    env: { CI: 'true' }, // the drawing library would draw nothing
  })
  await sees('/help')
  forget()

  type('hang\r')
  await sees('I begin')
  type('\u001b')
  await sees('the turn was stopped')
  type(`\u001b[200~${'pasted row\r'.repeat(3_000)}\u001b[201~`)
  await sees('\\[pasted 1: 3001 lines')
  type('\r')
  await sees('You said 32999 characters')
  type('codes\r')
  await sees('\\\\e\\]0;owned')
  type('call evil\r')
  await sees('Allow this call\\?')
  type('y')
  await sees('It answered')
  expect(raw()).not.toContain('\u001b]0;')
  expect(raw()).not.toContain('\u009b')

  forget()
  type('hang\r')
  await sees('I begin')
  type('\u0003')
  await sees('the turn was stopped')
  type('\u0003')
  await exited
  expect(withoutCodes(raw())).toContain('[exit 0]')
})
