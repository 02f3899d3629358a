import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { execPath } from 'node:process'

import { connect } from '@parley/mcp/client'
import { expect, onTestFinished, test, vi } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { repositoryFile } from '../run.ts'

const everything = repositoryFile('servers/everything/dist/main.js')
const parley = repositoryFile('packages/cli/dist/main.js')
const servers = {
  good: { command: execPath, args: [everything, 'stdio'] },
  // Says something on standard error, and what is no message on standard output.
  odd: {
    command: execPath,
    args: ['-e', 'console.error("odd is here"); setInterval(() => console.log("no message"), 50)'],
    startTimeout: '2s',
  },
  none: { command: 'no-such-program-anywhere' },
}

/** A gateway as a process, and all that it says. */
function start(words: readonly string[], config: object) {
  const folder = folderWith({ 'gateway.json': config })
  const file = join(folder, 'gateway.json')
  const child = spawn(execPath, [parley, 'gateway', 'run', '--config', file, ...words], {
    env: { ...process.env, PARLEY_STATE: folder },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (said.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (said.stderr += chunk.toString()))
  const received = (from: 'stdout' | 'stderr', part: string): Promise<void> =>
    vi.waitFor(() => expect(said[from]).toContain(part))
  return { child, said, heard: received }
}

async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
}

function request(id: number, method: string, params: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`
}

const initialize = request(1, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'raw', version: '1.0.0' },
})

test('over stdio, standard output is the protocol alone, and the log names each server that fails', async () => {
  const { child, said, heard } = start(['--stdio', '--verbose'], { servers })
  child.stdin.write(initialize)
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
  await heard('stderr', 'good: ready')
  await heard('stderr', 'none: failed: ')
  await heard('stderr', 'odd: cannot be reached: ')
  child.stdin.write(
    request(2, 'tools/call', { name: 'good__echo', arguments: { message: 'hello' } }),
  )
  child.stdin.write(request(3, 'tools/call', { name: 'none__x', arguments: {} }))
  await heard('stdout', '"id":2')
  await heard('stdout', '"id":3')

  child.stdin.end()
  expect(await exitOf(child)).toBe(0)

  const lines = said.stdout.trim().split('\n')
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
  expect(said.stdout).toContain('hello')
  expect(said.stdout).toMatch(
    /the server \\"none\\" cannot be used now: .*no-such-program-anywhere/,
  )
  expect(said.stderr).toContain('odd: odd is here')
  expect(said.stderr).toMatch(/odd: cannot be reached: .*not ready within 2000 ms/)
})

test('SIGHUP has the file read again', async () => {
  const { child, heard } = start(['--port', '0', '--json'], { servers: { good: servers.good } })
  await heard('stdout', '"event":"ready"')

  child.kill('SIGHUP')

  await heard('stdout', '"event":"reload","added":[],"removed":[],"changed":[]')
  child.kill('SIGTERM')
  expect(await exitOf(child)).toBe(0)
})

test('SIGTERM lets calls under way finish, and takes no new ones', async () => {
  const { child, said, heard } = start(['--port', '0', '--json'], {
    servers: { good: servers.good },
  })
  await heard('stdout', '"state":"ready"')
  const [, url = ''] = /"event":"ready","url":"([^"]+)"/.exec(said.stdout) ?? []
  const clients = await Promise.all(
    (['legacy', 'modern'] as const).map((protocolVersion) =>
      connect(url, { protocolVersion, reconnect: false, onError: () => undefined }),
    ),
  )
  const begun = vi.fn()
  const calls = clients.flatMap((client) =>
    Array.from({ length: 10 }, () =>
      client.callTool(
        'good__trigger-long-running-operation',
        { duration: 2, steps: 4 },
        { onProgress: begun },
      ),
    ),
  )
  await vi.waitFor(() => expect(begun.mock.calls.length).toBeGreaterThanOrEqual(20))

  child.kill('SIGTERM')

  const results = await Promise.all(calls)
  expect(results.map(({ isError = false }) => isError)).toEqual(results.map(() => false))
  expect(await exitOf(child)).toBe(0)
  await expect(clients[0]?.callTool('good__echo', { message: 'late' })).rejects.toThrow()
  await Promise.allSettled(clients.map((client) => client.close()))
})
