import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openSecretStore, type SecretStoreOptions } from '@parley/foundation/secrets'
import { expect, onTestFinished, test } from 'vitest'

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-secrets-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A keychain as the system's, in memory. */
function keychain() {
  const kept = new Map<string, string>()
  class Entry {
    readonly name: string
    constructor(service: string, account: string) {
      this.name = `${service} ${account}`
    }
    getPassword() {
      return kept.get(this.name) ?? null
    }
    setPassword(password: string) {
      kept.set(this.name, password)
    }
  }
  return async () => ({ Entry })
}

const noKeychain = async () => Promise.reject(new Error('AccessDenied'))

test('uses the keychain first, then a passphrase, then what was allowed, then memory', async () => {
  const directory = temporaryFolder()
  const kindOf = async (options: SecretStoreOptions) =>
    (await openSecretStore({ directory, env: {}, loadKeyring: noKeychain, ...options })).kind

  expect(await kindOf({ loadKeyring: keychain(), passphrase: 'words' })).toBe('keychain')
  expect(await kindOf({ env: { MCP_SECRET_KEY: 'words' }, allowUnprotected: true })).toBe(
    'passphrase',
  )
  expect(await kindOf({ allowUnprotected: true })).toBe('unprotected')
  expect(await kindOf({})).toBe('memory')
})

test('finds again what another process stored, and only with the right words', async () => {
  const directory = temporaryFolder()
  const options = { directory, env: {}, loadKeyring: noKeychain }
  const store = await openSecretStore({ ...options, passphrase: 'words' })
  await store.set('github', 'ghp_secret')
  await store.set('other', 'value')

  const again = await openSecretStore({ ...options, passphrase: 'words' })
  const wrong = await openSecretStore({ ...options, passphrase: 'guess' })

  expect(await again.get('github')).toBe('ghp_secret')
  expect(await again.names()).toEqual(['github', 'other'])
  expect(await wrong.get('github')).toBeUndefined()
  const files = readdirSync(directory).map((name) => join(directory, name))
  expect(files.length).toBeGreaterThan(0)
  for (const file of files) {
    expect(readFileSync(file, 'utf8')).not.toMatch(/ghp_secret|github/)
    expect(statSync(file).mode & 0o077).toBe(0)
  }
})

test('forgets', async () => {
  const store = await openSecretStore({
    env: {},
    loadKeyring: keychain(),
    directory: temporaryFolder(),
  })
  await store.set('a', '1')

  expect(await store.delete('a')).toBe(true)
  expect(await store.delete('a')).toBe(false)
  expect(await store.names()).toEqual([])
})
