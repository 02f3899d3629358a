import { execPath } from 'node:process'

import { verifyAuditLog } from '@parley/foundation/audit'
import { expect, test } from 'vitest'

import { openPseudoTerminal } from '../../../../test-support/pseudo-terminal.ts'
import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { repositoryFile, run, servers } from '../run.ts'

const [command, ...args] = servers.everything

test('parley chat --tui: a call of a real server with consent, kept for the next start', async () => {
  const cwd = folderWith({ 'mcp.json': { mcpServers: { every: { command, args } } } })
  const state = folderWith({})
  const chat = [
    execPath,
    repositoryFile('packages/cli/dist/main.js'),
    'chat',
    '--tui',
    '--config',
    'mcp.json',
    '--model',
    'scripted',
  ]
  const options = { cwd, env: { PARLEY_STATE: state, HOME: cwd } }

  const first = openPseudoTerminal(chat, options)
  await first.sees('1 of 1 server')
  first.type('call every__echo {"message": "Hello terminal"}\r')
  await first.sees('Allow this call')
  await first.sees('"message": "Hello terminal"')
  first.type('y')
  await first.sees('✓ every · echo')
  await first.sees('scripted · 1 of 1 server · /help')
  first.type('/quit\r')
  await first.exited
  expect(first.text()).toContain('[exit 0]')

  const second = openPseudoTerminal(chat, options)
  await second.sees('/help lists')
  second.type('/open terminal\r')
  await second.sees('> call every__echo')
  await second.sees('✓ every · echo')
  second.type('\u0004')
  await second.exited

  expect(await verifyAuditLog(`${state}/audit.jsonl`)).toMatchObject({ isIntact: true, entries: 2 })
})

test('--tui without a terminal says what to do instead', async () => {
  const { code, stderr } = await run(['chat', '--tui', '--model', 'scripted'], {
    cwd: folderWith({}),
  })

  expect(code).toBe(1)
  expect(stderr).toContain('--tui needs a terminal')
  expect(stderr).toContain('parley run -p TEXT')
})
