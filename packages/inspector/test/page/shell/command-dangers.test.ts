import { expect, test } from 'vitest'

import { dangerOf } from '../../../page/shell/servers/command-dangers.ts'

test.each([
  'sudo',
  '/usr/bin/sudo',
  'rm',
  'bash',
  'C:\\Windows\\System32\\cmd.exe',
  'curl -s https://example.com/x',
  'echo a; rm b',
  'a | b',
  '$(whoami)',
  '/home/ada/.ssh/id_rsa',
  '--root=/etc',
  '/',
  '~',
  '--privileged',
])('%s is worth a second look [SECX-09]', (word) => {
  expect(dangerOf(word)).toMatch(/\w/)
})

test.each([
  '',
  'node',
  'npx',
  '-y',
  '@modelcontextprotocol/server-everything',
  'shell-server',
  'format',
  './dist/main.js',
  '/home/ada/projects',
  'https://example.com/mcp?a=1&b=2',
  'rm-server.js',
])('%j is not', (word) => {
  expect(dangerOf(word)).toBeUndefined()
})
