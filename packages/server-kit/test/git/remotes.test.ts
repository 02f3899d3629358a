import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

import {
  createGitRunner,
  findRemote,
  requireRemotes,
  unsafeForTransfer,
} from '@parley/server-kit/git'
import { expect, test } from 'vitest'

import { freshFolder, freshRepository } from './support.ts'

const allowed = [
  'https://example.com/team',
  'HTTPS://Capitals.example:443/a/../team/',
  'ssh://git@host.example/',
  'ssh://paths.example/srv/',
  'git@short.example:team/',
  '/srv/git',
]

test.each([
  ['https://example.com/team', 'https'],
  ['https://example.com/team/', 'https'],
  ['https://example.com/team/x.git', 'https'],
  ['https://example.com/team/My%20Project/x', 'https'],
  ['https://me@example.com/team/x', 'https'],
  ['https://capitals.example/team/x', 'https'],
  ['ssh://host.example', 'ssh'],
  ['git@host.example:x/y.git', 'ssh'],
  ['git@short.example:team/x', 'ssh'],
  ['ssh://git@short.example/~/team/x', 'ssh'],
  ['paths.example:/srv/x', 'ssh'],
  ['/srv/git/x', 'file'],
  ['/srv/git/ü x/', 'file'],
  ['file:///srv/git/x', 'file'],
])('%s is below what was allowed', async (url, protocol) => {
  expect(await requireRemotes([url], { allowed })).toEqual({ urls: [url], protocols: [protocol] })
})

test.each([
  'https://example.com/team-evil/x',
  'https://example.com.evil.example/team/x',
  'https://example.com@evil.example/team/x',
  'https://example.com:444/team/x',
  'http://example.com/team/x',
  'paths.example:srv/x', // at the home of the user
  'ssh://short.example/team/x', // at the top
  'ssh://other.example/x',
  'https:example.com/team/x', // a host called https
  'file:/srv/git/x',
  '/srv/git-evil/x',
])('%s is not', async (url) => {
  const rules = { allowed, ifRefused: 'Ask for more.' }

  await expect(requireRemotes([url], rules)).rejects.toThrow(`${url} is not allowed. Ask for more.`)
})

test.each([
  'https://example.com\\team\\@127.0.0.1/x',
  'https:\\\\example.com/team/x',
  'https:/\\example.com/team/x',
  'https:///example.com/team/x',
  'HTTPS://example.com/team/x',
  'https://EXAMPLE.com/team/x',
  'https://ex\u00adample.com/team/x',
  'https://example.com:443/team/x',
  'https://example.com:/team/x',
  'https://@example.com/team/x',
  'https://a@b@example.com/team/x',
  'https://example%2ecom/team/x',
  'https://example.com/team/../evil',
  'https://example.com/team/./x',
  'https://example.com/team//x',
  'https://example.com/team/%2e%2e/evil',
  'https://example.com/team/%2e%2e%2fevil',
  'https://example.com/team/..%5cevil',
  'https://example.com/team/%zz',
  'https://example.com/team/%ff',
  'https://example.com/team/%252e',
  'https://example.com/team/x%0d%0ay',
  'https://example.com/team/x?y',
  'https://example.com/team/x#y',
  'https://example.com/team/x y',
  'https://example.com/team/x\ty',
  'https://example.com/team/x\ny',
  'https://example.com/team/\u2028',
  ' https://example.com/team/x',
  'ssh://evil%2f@host.example/x',
  'ssh://-oProxyCommand=evil@host.example/x',
  'ssh://-oProxyCommand=evil/x',
  'host.example:../x',
  'ext::sh -c evil',
  '-oProxyCommand=evil:x',
  'file://localhost/srv/git/x',
  'file://host.example/srv/git/x',
  '//srv/git/x',
  '/srv/git/../git/x',
  '/srv/git/x\n',
  'relative/path',
  '',
])('%j is not written as everybody reads it, so it is not read', async (url) => {
  await expect(requireRemotes([url], { allowed })).rejects.toThrow(
    `${url} is not allowed. It is not a plain address.`,
  )
})

test.each([
  'remote..proxy',
  'remote.a\u2028b.uploadpack',
  'remote.origin.VCS',
  'http.proxy',
  'http..proxy',
  'http.https://x.example/.sslVerify',
  'http.schannelCheckRevoke',
  'http.whatComesNext',
  'fetch.uriProtocols',
  'extensions.partialClone',
])('%s changes what a transfer does', (key) => {
  expect(unsafeForTransfer(['user.name', key])).toBe(key)
})

test('other settings of remotes and of HTTP do not', () => {
  const keys = ['remote.origin.url', 'remote.origin.fetch', 'http.postBuffer', 'http.x.extraHeader']

  expect(unsafeForTransfer(keys)).toBeUndefined()
})

test('a password is refused, and not repeated', async () => {
  const reaching = requireRemotes(['https://me:pass@word@example.com/team/x'], { allowed })

  await expect(reaching).rejects.toThrow('https://…@example.com/team/x is not allowed.')
})

test.each(['link', 'folder/link', 'named'])(
  'a link in an allowed folder does not lead out of it: %s',
  async (name) => {
    const folder = await freshFolder()
    mkdirSync(join(folder, 'allowed/folder'), { recursive: true })
    mkdirSync(join(folder, 'private'))
    symlinkSync(join(folder, 'private'), join(folder, 'allowed/link'))
    symlinkSync(join(folder, 'private'), join(folder, 'allowed/folder/link'))
    symlinkSync(join(folder, 'private'), join(folder, 'allowed/named.git'))
    const rules = { allowed: [join(folder, 'allowed')] }

    await expect(requireRemotes([join(folder, 'allowed', name)], rules)).rejects.toThrow(
      'is not allowed',
    )
  },
)

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
