import { execFile } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { requireRemotes } from '@parley/server-kit/git'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'

import { testOnPosix } from '../../../../test-support/on-posix.ts'
import { tries } from '../../../../test-support/thorough.ts'
import { freshFolder } from './support.ts'

/** Parts that readers of addresses have disagreed about. */
const odd = fc.constantFrom(
  '\\',
  '/',
  '@',
  ':',
  '%2f',
  '%40',
  '..',
  '?',
  '#',
  ';',
  '~',
  ' ',
  '\t',
  '\u2028',
  '[',
  'team',
  'x',
  'allowed.example',
  '127.0.0.1',
)
const tail = fc.array(odd, { maxLength: 5 }).map((parts) => parts.join(''))
const run = promisify(execFile)

/** Plain git, which tells where it goes instead of going there. */
async function askGit(url: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const settings = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }
  const env = { PATH: process.env['PATH'], GIT_TERMINAL_PROMPT: '0', ...settings, ...environment }
  await run('git', ['ls-remote', '--', url], { env, timeout: 10_000 }).catch(() => {}) // nobody answers
}

test('an HTTP address that may be reached is the one that git asks for', async () => {
  const asked: string[] = []
  const proxy = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(404).end()
  })
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void proxy.close())
  const { port } = proxy.address() as AddressInfo // it listens on a port
  const allowed = ['http://allowed.example/team/']
  let reached = 0

  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('', '/', '/team', '/team/', '/team/x'),
      tail,
      async (path, end) => {
        const url = `http://allowed.example${path}${end}`
        const isAllowed = await requireRemotes([url], { allowed }).catch(() => undefined)
        if (!isAllowed) return
        asked.length = 0
        await askGit(url, { http_proxy: `http://127.0.0.1:${port}` })
        expect(asked).not.toEqual([])
        for (const one of asked) expect(one).toMatch(/^http:\/\/allowed\.example\/team\//)
        reached += 1
      },
    ),
    {
      numRuns: tries(150),
      examples: [
        ['/team/', 'x'],
        ['/team/', '%40127.0.0.1'],
        ['', '\\team\\@127.0.0.1/x'],
      ],
    },
  )

  expect(reached).toBeGreaterThan(1)
})

testOnPosix('an SSH address that may be reached is the one that git connects to', async () => {
  const folder = await freshFolder()
  const trace = join(folder, 'asked')
  const ssh = join(folder, 'ssh')
  writeFileSync(ssh, `#!/bin/sh\nprintf '%s\\n' "$@" > '${trace}'\n`, { mode: 0o755 })
  const allowed = ['ssh://allowed.example/team/', 'allowed.example:team/']
  const starts = fc.constantFrom(
    'ssh://allowed.example/team/',
    'git@allowed.example:team/',
    'ssh://',
  )
  let reached = 0

  await fc.assert(
    fc.asyncProperty(starts, tail, async (start, end) => {
      const url = `${start}${end}`
      const isAllowed = await requireRemotes([url], { allowed }).catch(() => undefined)
      if (!isAllowed) return
      rmSync(trace, { force: true })
      await askGit(url, { GIT_SSH: ssh, GIT_SSH_VARIANT: 'ssh' })
      const [host = '', command = ''] = readFileSync(trace, 'utf8').split('\n').slice(-3)
      expect(host).toMatch(/^(git@)?allowed\.example$/)
      expect(command).toMatch(/^git-upload-pack '(\/|~\/)?team(\/.*)?'$/)
      reached += 1
    }),
    {
      numRuns: tries(150),
      examples: [
        ['ssh://allowed.example/team/', 'x'],
        ['ssh://', 'allowed.example/~/team'],
        ['ssh://', '127.0.0.1%2f@allowed.example/team'],
      ],
    },
  )

  expect(reached).toBeGreaterThan(1)
})
