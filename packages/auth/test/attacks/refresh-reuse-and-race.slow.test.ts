import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { createFileTokenStore } from '@parley/auth/node'
import { describe, expect, test, vi } from 'vitest'

import { openWorld } from '../support/world.ts'

const program = fileURLToPath(new URL('fixtures/refresher.mjs', import.meta.url))
const processes = 6
/** Long enough for a few refreshes; `REFRESH_RACE_SECONDS=60` makes it a minute. */
const seconds = Number(process.env['REFRESH_RACE_SECONDS'] ?? 12)

function run(...args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--no-warnings', program, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
    child.on('error', reject)
    child.on('close', () => resolve(text))
  })
}

describe('refresh race: several processes hold one rotating refresh token', () => {
  test('none is spent twice, and nobody has to sign in again [ASEC-06]', async () => {
    vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const directory = await mkdtemp(join(tmpdir(), 'auth-race-'))
    await using world = await openWorld({ issuer: { expiresIn: 2 } })
    await (await world.connect({ store: createFileTokenStore({ directory }) })).close()
    const endsAt = String(Date.now() + seconds * 1000)

    const printed = await Promise.all(
      Array.from({ length: processes }, () => run(world.server.url, directory, endsAt)),
    )
    await rm(directory, { recursive: true })

    const failures = printed.flatMap((text) =>
      text.split('\n').filter((line) => line !== '' && !line.startsWith('calls ')),
    )
    expect(failures).toEqual([])
    expect(world.issuer.reuses).toBe(0)
    expect(world.person.visited).toHaveLength(1)
    expect(world.issuer.refreshes).toBeGreaterThan(2)
    expect(world.issuer.refreshes).toBeLessThan(seconds * 2)
  })
})
