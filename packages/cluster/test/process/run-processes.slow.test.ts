import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath, kill } from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { connect } from '@parley/mcp/client'
import { expect, onTestFinished, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'

const fixture = fileURLToPath(new URL('../fixtures/processes.mjs', import.meta.url))

/** The program, and the lines it has printed. */
function start(...args: readonly string[]) {
  const program = spawn(execPath, [fixture, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void program.kill('SIGKILL'))
  const lines: string[] = []
  createInterface(program.stdout).on('line', (line) => lines.push(line))
  createInterface(program.stderr).on('line', (line) => lines.push(line))
  const listening = () => lines.filter((line) => line.includes('http://'))
  return { program, lines, listening }
}

/** A balancer would open a connection for each request; so does this. */
const freshConnections: typeof fetch = (input, init) =>
  fetch(input, {
    ...init,
    headers: { ...Object.fromEntries(new Headers(init?.headers)), connection: 'close' },
  })

test('processes share a port and sessions, one that is killed is replaced, and all end together', async () => {
  const { program, lines, listening } = start()
  await expect.poll(() => listening().length).toBe(2)
  const [pid = '', url = ''] = listening()[0]?.split(' ') ?? []
  const client = await connect(url, { fetch: freshConnections, protocolVersion: 'legacy' })

  const callOften = async (): Promise<ReadonlySet<string>> => {
    const pids = new Set<string>()
    for (let call = 0; call < 12; call += 1) {
      pids.add(JSON.stringify((await client.callTool('pid', {})).content))
    }
    return pids
  }
  expect((await callOften()).size).toBe(2)

  kill(Number(pid), 'SIGKILL')
  await expect.poll(() => listening().length).toBe(3)
  expect(lines).toContain(`process ${pid} ended with SIGKILL; starting another`)
  expect((await callOften()).size).toBe(2)

  await client.close()
  program.kill('SIGTERM')
  const [code] = (await once(program, 'exit')) as [number | null]
  expect(code).toBe(0)
  expect(lines.at(-1)).toBe('all ended')
})

test('a process that has not begun yet keeps the others from ending no longer than they need', async () => {
  const file = join(folderWith({}), 'wait')
  const { program, lines, listening } = start(file)
  await expect.poll(() => listening().length).toBe(2)
  const [pid = ''] = listening()[0]?.split(' ') ?? []

  writeFileSync(file, '')
  kill(Number(pid), 'SIGKILL')
  await expect.poll(() => lines.filter((line) => line.endsWith(' waits')).length).toBe(1)
  program.kill('SIGTERM')
  const [code] = (await once(program, 'exit')) as [number | null]

  expect(code).toBe(0)
  expect(lines.at(-1)).toBe('all ended')
})
