import type { ChildProcess } from 'node:child_process'
import { connect } from 'node:net'
import process, { env } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

/** A server does not outlive the tests, even when one of them has no time left to end it. */
export function endWithProcess(server: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): void {
  const end = (): void => void server.kill(signal)
  process.once('exit', end)
  server.once('exit', () => process.off('exit', end))
}

/** Resolves when something accepts connections; rejects if the process ends before. */
export async function untilListening(port: number, server: ChildProcess): Promise<void> {
  while (!(await accepts(port))) {
    if (server.exitCode !== null)
      throw new Error(`${server.spawnfile} ended with ${server.exitCode}`)
    await sleep(20)
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

/** The address of a server that all tests of a run share: `test-support/vitest/shared-servers.ts` starts it for the first of them. */
export async function sharedServer(name: 'postgres' | 'redis'): Promise<string> {
  const answer = await fetch(`${env['PARLEY_SHARED_SERVERS']}/${name}`)
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return text
}
