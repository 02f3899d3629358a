import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { CliError } from '../../exit.ts'
import type { Io } from '../../io.ts'
import { addHeaders } from './add-headers.ts'
import type { SuiteCheck } from './scenario.ts'

/** The suite, and what runs it. */
export interface SuiteProgram {
  readonly node: string
  readonly program: string
}

/** What the suite tells while it runs. */
export type SuiteEvent =
  | { readonly type: 'count'; readonly count: number }
  | { readonly type: 'started'; readonly scenario: string }
  | { readonly type: 'ended'; readonly scenario: string; readonly checks: readonly SuiteCheck[] }

export interface SuiteRun {
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  /** What to run, as flags of the suite. */
  readonly args: readonly string[]
  /** Where it writes its results. */
  readonly folder: string
}

/** Plays the suite's client against a server, and tells of each scenario as it ends. */
export async function* runSuite(
  { node, program }: SuiteProgram,
  { url, headers, args, folder }: SuiteRun,
  { signal, env }: Pick<Io, 'signal' | 'env'>,
): AsyncGenerator<SuiteEvent> {
  const extra = addHeaders(url, headers)
  const child = spawn(
    node,
    [...extra.nodeArgs, program, 'server', '--url', url, ...args, '-o', 'results'],
    { cwd: folder, env: { ...env, ...extra.env }, stdio: ['ignore', 'pipe', 'pipe'], signal },
  )
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve)
    child.once('error', () => resolve(null)) // it was stopped, or cannot be started: no summary says so
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = `${stderr}${text}`.slice(-4_000)
  })
  let scenario = ''
  let isWhole = false
  for await (const line of createInterface(child.stdout)) {
    const [, count] = /^Running .+ \((\d+) scenarios\) against /.exec(line) ?? []
    const [, started] = /^=== Running scenario: (.+) ===$/.exec(line) ?? []
    const [, results] = /^Results saved to (.+)$/.exec(line) ?? []
    if (count !== undefined) yield { type: 'count', count: Number(count) }
    if (started !== undefined) {
      scenario = started
      yield { type: 'started', scenario }
    }
    if (results !== undefined) {
      yield { type: 'ended', scenario, checks: await readChecks(join(folder, results)) }
    }
    isWhole ||= line === '=== SUMMARY ==='
  }
  await ended
  signal.throwIfAborted()
  if (isWhole) return
  throw new CliError('error', 'the public suite stopped early', { details: { stderr } })
}

async function readChecks(folder: string): Promise<readonly SuiteCheck[]> {
  const value: unknown = JSON.parse(await readFile(join(folder, 'checks.json'), 'utf8'))
  return Array.isArray(value) ? (value as readonly SuiteCheck[]) : [] // as this release of it writes them
}

/** The scenarios that a revision requires; undefined if the suite has no such list. */
export async function requiredScenarios(
  { node, program }: SuiteProgram,
  revision: string,
  { signal, env }: Pick<Io, 'signal' | 'env'>,
): Promise<ReadonlySet<string> | undefined> {
  const args = [program, 'list', '--requirements', revision]
  const child = spawn(node, args, { env, stdio: ['ignore', 'pipe', 'ignore'], signal })
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve)
    child.once('error', () => resolve(null))
  })
  const names = new Set<string>()
  let isServer = false
  for await (const line of createInterface(child.stdout)) {
    if (/^\w/.test(line)) isServer = line.startsWith('Server scenarios ')
    const [, name] = /^\s+- (\S+)/.exec(line) ?? []
    if (isServer && name !== undefined) names.add(name)
  }
  signal.throwIfAborted()
  return (await ended) === 0 && names.size > 0 ? names : undefined
}
