import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { startBalancer, startRedisProcess } from '@parley/cluster/testing'
import { connect } from '@parley/mcp/client'
import { expect, onTestFinished, vi } from 'vitest'

import { testOnPosix } from '../../../../test-support/on-posix.ts'
import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { parley } from '../programs.ts'
import { textOf } from '../running.ts'
import { secret } from './two-processes.ts'

const program = fileURLToPath(new URL('../fixtures/counting-server.mjs', import.meta.url))

interface Running {
  readonly child: ChildProcess
  readonly url: string
}

async function startProcess(file: string, state: string): Promise<Running> {
  const words = [parley, 'gateway', 'run', '--config', file, '--port', '0', '--json']
  const child = spawn(execPath, words, {
    env: { ...process.env, PARLEY_SECRET: secret, PARLEY_STATE: state },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  for await (const line of createInterface(child.stdout)) {
    const { event, url } = JSON.parse(line) as { readonly event: string; readonly url: string } // as it says with --json
    if (event === 'ready') return { child, url }
  }
  throw new Error('it ended before it listened')
}

/** The process that started another, or started one that did. */
function isBelow(pid: number, ancestor: number | undefined): boolean {
  for (let at = pid; at > 1;) {
    if (at === ancestor) return true
    const stat = readFileSync(`/proc/${at}/stat`, 'utf8')
    at = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  }
  return false
}

testOnPosix(
  'of three processes one is killed: its call fails at once and is never repeated, and all sessions go on',
  async () => {
    await using redis = await startRedisProcess()
    const folder = folderWith({})
    const begun = join(folder, 'begun')
    writeFileSync(begun, '')
    const file = join(folder, 'gateway.json')
    writeFileSync(
      file,
      JSON.stringify({
        servers: { one: { command: execPath, args: [program, begun] } },
        cluster: { redis: redis.url, secret: '${PARLEY_SECRET}', lease: '2s' },
        naming: 'manual',
      }),
    )
    const running = await Promise.all(
      [1, 2, 3].map((number) => startProcess(file, folderWith({ [`${number}`]: '' }))),
    )
    await using balancer = await startBalancer()
    for (const { url } of running) balancer.add(url)
    const url = new URL('/mcp', balancer.url)
    const clients = await Promise.all(
      Array.from({ length: 3 }, () =>
        connect(url, { protocolVersion: 'legacy', reconnect: true, onError: () => undefined }),
      ),
    )
    const pids: string[] = []
    for (const client of clients) {
      const seen = new Set<string>()
      for (let call = 0; call < 6; call += 1) {
        await vi.waitFor(async () => {
          const text = textOf(await client.callTool('pid'))
          expect(text).toMatch(/^\d+$/)
          seen.add(text)
        })
      }
      expect(seen.size).toBe(1)
      pids.push(...seen)
    }
    expect(new Set(pids).size).toBe(3)
    const [victim] = clients
    const owner = running.find(({ child }) => isBelow(Number(pids[0]), child.pid))
    expect(owner).toBeDefined()
    const hanging = victim!.callTool('hang').then(
      (result) => (result.isError ? 'failed' : 'done'),
      () => 'failed',
    )
    await vi.waitFor(() => expect(readFileSync(begun, 'utf8')).toBe('begun\n'))

    owner?.child.kill('SIGKILL')

    expect(await hanging).toBe('failed')
    for (const [index, client] of clients.entries()) {
      await vi.waitFor(async () => {
        const text = textOf(await client.callTool('pid'))
        expect(text).toMatch(/^\d+$/)
        if (index === 0) expect(text).not.toBe(pids[0])
      })
    }
    expect(readFileSync(begun, 'utf8')).toBe('begun\n')
    await Promise.allSettled(clients.map((client) => client.close()))
  },
)
