import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { execPath, kill } from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { connect } from '@parley/mcp/client'
import { expect, onTestFinished, test } from 'vitest'

const fixture = fileURLToPath(new URL('../fixtures/processes.mjs', import.meta.url))

/** The program, and the lines it has printed. */
function start() {
  const program = spawn(execPath, [fixture], { stdio: ['ignore', 'pipe', 'pipe'] })
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
  const client = await connect(url, { fetch: freshConnections, era: 'legacy' })

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
