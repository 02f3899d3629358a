import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'

import { connect } from '@parley/mcp/client'
import { describe, test } from 'vitest'

import { folderWith } from '../../../test-support/temporary-folder.ts'
import { parley, stubborn } from './programs.ts'
import { livingIn, open, startTestBridge } from './running.ts'

// Each waits for seconds for what does not want to end.
describe.concurrent('children', () => {
  test('a stubborn child and its helper end with their session', async ({
    expect,
    onTestFinished,
  }) => {
    const folder = folderWith({}, onTestFinished)
    await using bridge = await startTestBridge({ from: stubborn(folder) })
    const client = await open(bridge, { protocolVersion: 'legacy' })
    await expect.poll(() => livingIn(folder).length).toBe(2)

    await client.close()

    await expect.poll(() => livingIn(folder)).toEqual([])
    await expect.poll(() => bridge.connections).toBe(0)
  })

  test('children of clients that vanish without a word end with their sessions', async ({
    expect,
    onTestFinished,
  }) => {
    const folder = folderWith({}, onTestFinished)
    await using bridge = await startTestBridge({ from: stubborn(folder), sessionTimeoutMs: 1_000 })
    const script = `
    const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {
      protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'gone', version: '1' } } }
    for (let client = 0; client < 3; client += 1) {
      await fetch(process.argv[1], { method: 'POST', body: JSON.stringify(initialize), headers: {
        'content-type': 'application/json', accept: 'application/json, text/event-stream' } })
    }
    process.kill(process.pid, 'SIGKILL')`
    const vanishing = spawn(execPath, ['--input-type=module', '-e', script, bridge.url!.href])

    await once(vanishing, 'exit')
    await expect.poll(() => bridge.connections).toBe(0)

    await expect.poll(() => livingIn(folder)).toEqual([])
  })

  test.for(['SIGKILL', 'SIGTERM'] as const)(
    '%s of the bridge leaves no child',
    async (signal, { expect, onTestFinished }) => {
      const folder = folderWith({}, onTestFinished)
      onTestFinished(() => {
        for (const pid of livingIn(folder)) process.kill(pid, 'SIGKILL')
      })
      const { command, args } = stubborn(folder)
      const words = ['bridge', '--to', 'http', '--port', '0', '--json', '--', command, ...args]
      const bridge = spawn(execPath, [parley, ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
      const [line] = (await once(bridge.stdout, 'data')) as [Buffer]
      const { url } = JSON.parse(line.toString()) as { readonly url: string } // as it says with --json
      const clients = await Promise.all(
        [1, 2].map(() =>
          connect(url, { protocolVersion: 'legacy', reconnect: false, onError: () => undefined }),
        ),
      )
      await expect.poll(() => livingIn(folder).length).toBe(4)

      bridge.kill(signal)
      await once(bridge, 'exit')

      await expect.poll(() => livingIn(folder)).toEqual([])
      await Promise.allSettled(clients.map((client) => client.close()))
    },
  )

  test.for(['SIGKILL', 'SIGTERM'] as const)(
    '%s of the gateway leaves no child',
    async (signal, { expect, onTestFinished }) => {
      const folder = folderWith({}, onTestFinished)
      const config = folderWith(
        { 'gateway.json': { servers: { one: stubborn(folder) } } },
        onTestFinished,
      )
      onTestFinished(() => {
        for (const pid of livingIn(folder)) process.kill(pid, 'SIGKILL')
      })
      const words = [
        'gateway',
        'run',
        '--config',
        join(config, 'gateway.json'),
        '--port',
        '0',
        '--json',
      ]
      const gateway = spawn(execPath, [parley, ...words], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, PARLEY_STATE: config },
      })
      const events = createInterface(gateway.stdout)
      let url: string | undefined
      for await (const line of events) {
        url ??= (JSON.parse(line) as { readonly url?: string }).url // as it says with --json
        if (url !== undefined) break
      }
      const clients = await Promise.all(
        [1, 2].map(() =>
          connect(url ?? '', {
            protocolVersion: 'legacy',
            reconnect: false,
            onError: () => undefined,
          }),
        ),
      )
      await Promise.all(clients.map((client) => client.callTool('one__pid')))
      // Its own look at the server, and one for each client.
      await expect.poll(() => livingIn(folder).length).toBe(6)

      gateway.kill(signal)
      await once(gateway, 'exit')

      await expect.poll(() => livingIn(folder)).toEqual([])
      await Promise.allSettled(clients.map((client) => client.close()))
    },
  )

  test('a child that holds more memory than it may is ended, and that is told', async ({
    expect,
    onTestFinished,
  }) => {
    const folder = folderWith({}, onTestFinished)
    const told: string[] = []
    await using bridge = await startTestBridge({
      from: stubborn(folder),
      memoryBytes: 1_000_000,
      onError: (error) => told.push(String(error)),
    })
    const opened = await open(bridge, { protocolVersion: 'legacy' }).catch(() => undefined)

    await expect.poll(() => told.join('\n')).toMatch(/holds \d+ bytes and may hold 1000000/)
    await opened?.close()
    await expect.poll(() => livingIn(folder)).toEqual([])
  })
})
