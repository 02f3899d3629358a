import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { env, execPath, kill } from 'node:process'
import { createInterface } from 'node:readline'

import { findRedis } from '@parley/cluster/testing'
import { connect } from '@parley/mcp/client'
import { expect, onTestFinished, test } from 'vitest'

import { root } from '../source-files.mjs'

/** The program with a cluster, and the lines it has printed. */
function start(settings: NodeJS.ProcessEnv) {
  const args = [join(root, 'scripts/start.mjs'), '--no-open', '--port', '0', '--cluster', '3']
  const program = spawn(execPath, args, {
    env: { ...env, REDIS_URL: undefined, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void program.kill('SIGKILL'))
  const lines: string[] = []
  for (const stream of [program.stdout, program.stderr]) {
    createInterface(stream).on('line', (line) => lines.push(line))
  }
  const found = (pattern: RegExp): string => pattern.exec(lines.join('\n'))?.[1] ?? ''
  return {
    program,
    lines,
    url: () => found(/3 processes behind (\S+):/),
    victim: () => Number(found(/kill -9 (\d+)/)),
  }
}

test.each([
  ['Redis', {}],
  ['no Redis', { PARLEY_REDIS: '/nowhere/redis-server' }],
] as const)(
  'with %s, three processes answer in turn, and calls go on when one is killed',
  async (name, settings) => {
    if (name === 'Redis' && findRedis() === undefined) return
    const { program, lines, url, victim } = start(settings)
    await expect.poll(url, { message: lines.join('\n') }).not.toBe('')
    await using client = await connect(url(), { protocolVersion: 'legacy' })
    const callOften = async (): Promise<ReadonlySet<unknown>> => {
      const places = new Set<unknown>()
      for (let call = 0; call < 15; call += 1) {
        const { _meta } = await client.callTool('echo', { message: 'hello' })
        places.add(_meta?.['dev.parley/process'])
      }
      return places
    }
    expect((await callOften()).size).toBe(3)

    kill(victim(), 'SIGKILL')
    await expect
      .poll(() => lines.some((line) => line.includes(`process ${victim()} ended`)))
      .toBe(true)

    expect(await callOften()).not.toContain(String(victim()))
    program.kill('SIGTERM')
    const [code] = (await once(program, 'exit')) as [number | null]
    expect(code).toBe(0)
  },
)
