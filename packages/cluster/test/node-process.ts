import { spawn, type ChildProcess } from 'node:child_process'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import type { TestContext } from 'vitest'

import { until } from './until.ts'

const program = fileURLToPath(new URL('fixtures/node.mjs', import.meta.url))

/** A process of its own that serves an endpoint with others. */
export interface NodeProcess {
  readonly url: URL
  readonly pid: number
  /** What its handlers have said. */
  readonly lines: readonly string[]
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void
}

/** Which store, where, and with which names in it. */
export interface SharedStore {
  readonly engine: 'redis' | 'postgres'
  readonly address: string
  readonly names: string
}

/** Ended after the test, which may run beside others. */
export async function startNode(
  { engine, address, names }: SharedStore,
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
): Promise<NodeProcess> {
  const child = spawn(execPath, [program, engine, address, names], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: string[] = []
  for (const output of [child.stdout, child.stderr]) {
    createInterface(output).on('line', (line) => lines.push(line))
  }
  const listening = await until(() => {
    requireRunning(child, lines)
    return lines.find((line) => line.startsWith('listens '))
  })
  return {
    url: new URL(listening.slice('listens '.length)),
    pid: child.pid ?? 0,
    lines,
    signal: (name) => void child.kill(name),
  }
}

function requireRunning({ exitCode }: ChildProcess, lines: readonly string[]): void {
  if (exitCode !== null) throw new Error(`the process has ended:\n${lines.join('\n')}`)
}
