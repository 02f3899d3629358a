import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openApiKeyFile } from '@parley/gateway'
import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { expect, onTestFinished, test } from 'vitest'

function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-keys-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'keys.json')
}

const hour = 3_600_000

test('shows a key once and keeps its hash alone, in a file for its owner', async () => {
  const path = temporaryFile()
  const file = openApiKeyFile({ path })

  const { key, stored } = await file.createKey({ name: 'ada', scopes: ['tools:read'] })

  expect(key).toMatch(/^pgk_[a-z0-9]{12}_[A-Za-z0-9_-]{43}$/)
  expect(file.find(key)).toMatchObject({
    subject: 'ada',
    scopes: ['tools:read'],
    claims: { keyId: stored.id },
  })
  expect(readFileSync(path, 'utf8')).not.toContain(key.slice(17))
  expect(JSON.stringify(file.list())).not.toMatch(/[0-9a-f]{64}/)
  expect(file.list()).toMatchObject([{ id: stored.id, name: 'ada', state: 'active' }])
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test.each([
  ['another end', (key: string) => `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`],
  ['another id', (key: string) => key.replace(/_[a-z0-9]{12}_/, '_aaaaaaaaaaaa_')],
  ['something behind it', (key: string) => `${key}x`],
  ['a line break', (key: string) => `${key}\n`],
  ['capitals', (key: string) => key.toUpperCase()],
  ['no key', () => ''],
  ['the name of a prototype', () => '__proto__'],
])('lets nobody in by %s', async (_, change) => {
  const file = openApiKeyFile({ path: temporaryFile() })
  const { key } = await file.createKey({ name: 'ada' })

  expect(file.find(change(key))).toBeUndefined()
})

test('a revoked key is refused at once here, and within a second elsewhere', async () => {
  const path = temporaryFile()
  let at = Date.now()
  const file = openApiKeyFile({ path })
  const { key, stored } = await file.createKey({ name: 'ada' })
  const other = openApiKeyFile({ path, now: () => at })
  expect(other.find(key)).toBeDefined()

  await file.revoke(stored.id)
  at += 1_001

  expect(file.find(key)).toBeUndefined()
  expect(other.find(key)).toBeUndefined()
  expect(other.list()).toMatchObject([{ state: 'revoked' }])
  await expect(file.revoke('none')).rejects.toThrow('keys list shows all')
})

test('several processes make keys at once, and all are kept', async () => {
  const path = temporaryFile()
  const one = openApiKeyFile({ path })
  const other = openApiKeyFile({ path: path.replace('keys.json', './keys.json') })

  const made = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      (index % 2 === 0 ? one : other).createKey({ name: `key ${index}` }),
    ),
  )

  const fresh = openApiKeyFile({ path })
  expect(made.map(({ key }) => fresh.find(key)?.subject)).toEqual(
    made.map((_, index) => `key ${index}`),
  )
})

test('refuses what makes no key, and a file that is none', async () => {
  const path = temporaryFile()
  const file = openApiKeyFile({ path })

  await expect(file.createKey({ name: '' })).rejects.toThrow('1 to 200 characters')
  await expect(file.createKey({ name: 'a\u202eb' })).rejects.toThrow('can be seen')
  await expect(file.createKey({ name: 'a', scopes: ['a b'] })).rejects.toThrow('"a b"')
  await expect(file.createKey({ name: 'a', expires: new Date(0) })).rejects.toThrow('later date')
  writeFileSync(path, '[]', { mode: 0o600 })
  expect(() => openApiKeyFile({ path })).toThrow('is not a file of API keys')
  const key = { id: 'a', name: 'a', scopes: [], created: '', hash: '0'.repeat(64), expires: 'soon' }
  writeFileSync(path, JSON.stringify({ version: 1, keys: [key] }))
  expect(() => openApiKeyFile({ path })).toThrow('is not a file of API keys')
})

test('guards a listener: with the key, without, expired', async () => {
  let at = Date.now()
  const path = temporaryFile()
  const file = openApiKeyFile({ path, now: () => at })
  const lasting = await file.createKey({ name: 'ada' })
  const short = await file.createKey({ name: 'grace', expires: new Date(at + hour) })
  const server = createServer({ name: 'guarded', version: '1' })
  await using listener = await serveHttp(server, {
    port: 0,
    ownsProcess: false,
    auth: file.guard(),
  })
  const statusWith = async (headers: Record<string, string>) => {
    const response = await fetch(listener.url, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    })
    await response.body?.cancel()
    return response.status
  }

  expect(await statusWith({})).toBe(401)
  expect(await statusWith({ authorization: `Bearer ${lasting.key}x` })).toBe(401)
  expect(await statusWith({ authorization: `Bearer ${lasting.key}` })).not.toBe(401)
  expect(await statusWith({ 'x-api-key': short.key })).not.toBe(401)
  const past = new Date(Date.now() - hour).toISOString()
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(/"expires": "[^"]*"/, `"expires": "${past}"`),
  )
  at += 1_001
  expect(await statusWith({ 'x-api-key': short.key })).toBe(401)
  expect(file.list().map(({ state }) => state)).toEqual(['active', 'expired'])
})
