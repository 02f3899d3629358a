import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { connect } from '@parley/mcp/client'
import { expect, onTestFinished, test } from 'vitest'

const fixture = fileURLToPath(new URL('fixtures/notes.mjs', import.meta.url))

test('a program serves from several processes, says so once, and ends them all', async () => {
  const args = [fixture, '--http', '0', '--processes', '2']
  const program = spawn(execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void program.kill('SIGKILL'))
  const lines: string[] = []
  createInterface(program.stderr).on('line', (line) => lines.push(line))
  await expect.poll(() => lines.length).toBeGreaterThan(0)
  const [, url = ''] = /^notes listens on (\S+)$/.exec(lines[0] ?? '') ?? []

  const pids = new Set<string>()
  const client = await connect(url, { fetch: freshConnections, protocolVersion: 'legacy' })
  for (let call = 0; call < 12; call += 1) {
    pids.add(JSON.stringify((await client.callTool('pid', {})).content))
  }
  await client.close()
  program.kill('SIGTERM')
  const [code] = (await once(program, 'exit')) as [number | null]

  expect(pids.size).toBe(2)
  expect(code).toBe(0)
  expect(lines).toEqual([`notes listens on ${url}`])
})

/** Each connection goes to the next process. */
const freshConnections: typeof fetch = (input, init) =>
  fetch(input, {
    ...init,
    headers: { ...Object.fromEntries(new Headers(init?.headers)), connection: 'close' },
  })
