import { spawnSync } from 'node:child_process'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import { connect } from '@parley/mcp/client'
import { clientTasks } from '@parley/mcp/tasks'
import { describe, expect, test } from 'vitest'

import { triedRevisions } from '../../../test-support/revisions.ts'
import { answering, textsOf } from './support.ts'

const program = fileURLToPath(new URL('../dist/main.js', import.meta.url))

function run(...args: readonly string[]) {
  return spawnSync(execPath, [program, ...args], { encoding: 'utf8', input: '' })
}

describe.each(triedRevisions)('the program, in %s', (protocolVersion) => {
  test('serves the process that started it', async () => {
    const entry = { command: execPath, args: [program], env: { EVERYTHING_TEST: 'seen' } }
    await using client = await connect(entry, { protocolVersion, ...answering })

    const result = await client.callTool('echo', { message: 'over a pipe' })
    const environment = await client.callTool('get-env')
    const asked = await client.callTool('trigger-sampling-request', { prompt: 'Why?' })

    expect(client.negotiated).toMatchObject({ revision: protocolVersion, transport: 'stdio' })
    expect(textsOf(result)).toEqual(['Echo: over a pipe'])
    expect(textsOf(environment)[0]).toContain('EVERYTHING_TEST')
    expect(textsOf(asked)[0]).toContain('Forty-two.')
  })

  test('has more to show when asked to', async () => {
    const entry = { command: execPath, args: [program, 'stdio', '--extras'] }
    const elicit = () => ({ action: 'accept' as const, content: { city: 'Rome', agreed: true } })
    await using client = await connect(entry, {
      protocolVersion,
      elicit,
      extensions: [clientTasks()],
    })

    const counted = await client.callTool('count-slowly', { to: 3, pauseMs: 100 })
    const region = await client.callTool('echo-region', { region: 'eu' })

    expect(textsOf(counted)).toEqual(['{"counted":3}'])
    expect(textsOf(region)).toEqual(['Region: eu. Header: none.'])
    if (protocolVersion < '2025-06-18') return
    expect(textsOf(await client.callTool('plan-trip-in-rounds'))).toEqual([
      'The room in Rome is booked.',
    ])
  })

  test('stops the work of a call that is cancelled', async () => {
    await using client = await connect({ command: execPath, args: [program] }, { protocolVersion })
    const controller = new AbortController()
    const steps: number[] = []

    const call = client.callTool(
      'trigger-long-running-operation',
      { duration: 60, steps: 6_000 },
      {
        signal: controller.signal,
        onProgress({ progress }) {
          steps.push(progress)
          controller.abort(new Error('enough'))
        },
      },
    )

    await expect(call).rejects.toThrow('enough')
    await client.ping()
    expect(steps).toEqual([1])
  })
})

test('answers nothing before a slow start is over', async () => {
  const slow = { command: execPath, args: [program, '--slow-start', '60000'] }
  const quicker = { command: execPath, args: [program, '--slow-start', '20'] }

  const attempt = connect(slow, { timeouts: { connectMs: 300 } })
  await expect(attempt).rejects.toMatchObject({ code: 'timeout' })

  await using client = await connect(quicker)
  expect(client.status).toEqual({ state: 'ready' })
})

test('says how to use it', () => {
  const { status, stdout } = run('--help')

  expect(status).toBe(0)
  expect(stdout).toContain(
    'Usage: parley-server-everything [options] [stdio | sse | streamableHttp]',
  )
})

test('refuses to serve what there is not', () => {
  const { status, stdout, stderr } = run('carrier-pigeon')

  expect(status).toBe(1)
  expect(stdout).toBe('')
  expect(stderr).toContain('Unknown: carrier-pigeon.')
  expect(stderr).toContain('Usage:')
})

test('ends when nobody is there any more', () => {
  const { status, stdout } = run('stdio')

  expect(status).toBe(0)
  expect(stdout).toBe('')
})
