import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, it, onTestFinished } from 'vitest'

import { run } from '../run.ts'

/** Serves a registry until the test has ended. */
async function serveRegistry(more: readonly string[] = []): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-registry-'))
  const stop = new AbortController()
  const ready = new Promise<string>((resolve) => {
    const ended = run(['registry', 'serve', '--port', '0', '--json', ...more], {
      env: { PARLEY_STATE: folder },
      signal: stop.signal,
      onStdout: (text) => resolve((JSON.parse(text) as { url: string }).url),
      onStderr: (text) => resolve(text),
    })
    onTestFinished(async () => {
      stop.abort()
      await ended
      rmSync(folder, { recursive: true, force: true })
    })
  })
  return ready
}

it('serves a registry on a port [REG-01]', async () => {
  const url = await serveRegistry(['--sign-in', 'anonymous'])
  const signedIn = await fetch(new URL('v0.1/auth/none', url), { method: 'POST' })
  const { registry_token: token } = (await signedIn.json()) as { registry_token: string }
  const document = {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: 'io.modelcontextprotocol.anonymous/one',
    description: 'One',
    version: '1.0.0',
  }
  const published = await fetch(new URL('v0.1/publish', url), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(document),
  })
  expect(published.status).toBe(200)
  const listed = await fetch(new URL('v0.1/servers', url))
  expect(await listed.json()).toMatchObject({ servers: [{ server: document }] })
})

it.each([
  [['--host', '0.0.0.0'], 'listening on 0.0.0.0 needs --public'],
  [['--host', '0.0.0.0', '--public', '--sign-in', 'anonymous'], 'only for a registry on this'],
  [['--sign-in', 'carrier-pigeon'], 'use dns, http, github, anonymous'],
  [['--keys', '/nonexistent/keys.json'], 'cannot be read'],
  [['--database', 'mysql://x'], 'begins with \\"mysql\\"'],
])('refuses %j', async (words, text) => {
  expect(await serveRegistry(words)).toContain(text)
})
