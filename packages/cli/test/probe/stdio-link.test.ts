import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { execPath, kill } from 'node:process'

import { expect, onTestFinished, test, vi } from 'vitest'

import { testOnPosix } from '../../../../test-support/on-posix.ts'
import { linkTo, openStdioLink } from '../../src/probe/stdio-link.ts'

/** Behind a shell, as npx has it, a program that outlives its input and tells its number. */
const stubborn = `
  process.on('SIGTERM', () => {})
  process.stdin.resume()
  setInterval(() => {}, 1000)
  console.log(JSON.stringify({ jsonrpc: '2.0', method: 'here', params: { pid: process.pid } }))
`

function isRunning(pid: number): boolean {
  try {
    return kill(pid, 0)
  } catch {
    return false
  }
}

testOnPosix('what a wrapped server started ends with the link', async () => {
  const script = `"${execPath}" -e "$SCRIPT"; true`
  const link = await openStdioLink({
    command: 'sh',
    args: ['-c', script],
    env: { SCRIPT: stubborn },
  })
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const { messages } = await link.exchange(ping, { waitMs: 2_000 })
  const [{ params } = {}] = messages
  const { pid } = params as unknown as { pid: number } // as it was written above
  expect(isRunning(pid)).toBe(true)

  await link[Symbol.asyncDispose]()

  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), 5_000)
})

test('no timer is left when the server has ended', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const child = spawn(execPath, ['-e', ''], { stdio: 'pipe' })
  const exited = once(child, 'exit')
  const link = linkTo({ ...child, exited, stderr: () => '', async [Symbol.asyncDispose]() {} })

  expect(await link.endInput?.(60_000)).toBe(true)

  expect(vi.getTimerCount()).toBe(0)
})

test('a signal ends what is waited for', async () => {
  const ending = new AbortController()
  await using link = await openStdioLink(
    { command: execPath, args: ['-e', 'setInterval(() => {}, 1000)'] },
    { signal: ending.signal },
  )

  const asking = link.exchange({ jsonrpc: '2.0', id: 1, method: 'ping' }, { waitMs: 60_000 })
  ending.abort(new Error('interrupted'))

  await expect(asking).rejects.toThrow('interrupted')
})

test('a server is started in the environment that every client gives', async () => {
  vi.stubEnv('USER', 'ada')
  vi.stubEnv('HTTPS_PROXY', 'http://proxy.example:3128')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
  const script =
    'console.error(process.env.USER, process.env.HTTPS_PROXY, process.env.AWS_SECRET_ACCESS_KEY)'
  await using link = await openStdioLink({ command: execPath, args: ['-e', script] })

  await link.exchange({ jsonrpc: '2.0', id: 1, method: 'ping' })

  expect(link.lastWords?.()).toBe(': ada http://proxy.example:3128 undefined')
  vi.unstubAllEnvs()
})
