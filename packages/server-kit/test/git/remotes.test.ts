import { expect, test } from 'vitest'

import { createGitRunner, findRemote, requireRemotes } from '../../src/git/index.ts'
import { freshRepository } from './support.ts'

const allowed = ['https://example.com/team', 'ssh://git@host.example/', '/srv/git']

test.each([
  ['https://example.com/team/x.git', 'https'],
  ['https://me@example.com/team/x', 'https'],
  ['git@host.example:x/y.git', 'ssh'],
  ['/srv/git/x', 'file'],
  ['file:///srv/git/x', 'file'],
])('%s is below what was allowed', (url, protocol) => {
  expect(requireRemotes([url], { allowed })).toEqual({ urls: [url], protocols: [protocol] })
})

test.each([
  'https://example.com/team-evil/x',
  'https://example.com/team/../evil',
  'https://example.com/team/%2e%2e%2fevil',
  'https://example.com.evil.example/team/x',
  'https://example.com@evil.example/team/x',
  'https://example.com:444/team/x',
  'http://example.com/team/x',
  'https://me:password@example.com/team/x',
  'ext::sh -c evil',
  '-oProxyCommand=evil:x',
  '/srv/git-evil/x',
  'relative/path',
  '',
])('%j is not', (url) => {
  const rules = { allowed, ifRefused: 'Ask for more.' }

  expect(() => requireRemotes([url], rules)).toThrow(`${url} may not be reached. Ask for more.`)
})

test('every address of a remote must be allowed, also those to push to', async () => {
  const plain = await freshRepository()
  plain.git('remote', 'add', 'origin', '/srv/git/x')
  plain.git('config', 'remote.origin.pushurl', '/elsewhere/x')
  const repository = await createGitRunner({ userSettings: false }).open(plain.folder)

  const fetching = await findRemote(repository, 'origin', 'fetch', { allowed })

  expect(fetching).toEqual({ urls: ['/srv/git/x'], protocols: ['file'] })
  await expect(findRemote(repository, 'origin', 'push', { allowed })).rejects.toThrow(
    '/elsewhere/x',
  )
  await expect(findRemote(repository, 'other', 'fetch', { allowed })).rejects.toThrow(
    'Known: origin.',
  )
})
