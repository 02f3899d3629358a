import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

import { connect } from '@parley/mcp/client'
import { errorMessage } from '@parley/mcp/json'
import { anySignal } from '@parley/mcp/signals'
import { findProgram, searchPath } from '@parley/mcp/system'
import type { InstallEntry, SnapshotDifference, ToolSnapshot } from '@parley/registry/client'

import type { Io } from '../io.ts'
import { flat } from '../output/printer.ts'

/** What a probe saw, why none can be made here, or why it failed. */
export type ProbeOutcome =
  | { readonly kind: 'seen'; readonly snapshot: ToolSnapshot }
  | { readonly kind: 'cannot'; readonly why: string }
  | { readonly kind: 'failed'; readonly why: string }

const probeMs = 30_000

/**
 * Starts a server once, in a child that has no network and an empty working directory, without any secret, and keeps which
 * tools it has. The network is all that is taken away: the child can read the files of the user.
 */
export async function probeEntry(entry: InstallEntry, { env, signal }: Io): Promise<ProbeOutcome> {
  if (entry.kind === 'url') {
    return { kind: 'cannot', why: 'it is reached by URL, so there is nothing to start here' }
  }
  if (entry.first !== undefined) {
    return { kind: 'cannot', why: 'it has to be built first' }
  }
  const wrapper = findWrapper(env)
  if (wrapper === undefined) {
    return { kind: 'cannot', why: 'this system has no way to start a program without a network' }
  }
  const { createSnapshot } = await import('@parley/registry/client')
  const cwd = await mkdtemp(join(tmpdir(), 'parley-probe-'))
  const values = Object.keys(entry.env).map((name) => [name, 'probe'] as const)
  try {
    await using client = await connect(
      {
        command: wrapper.command,
        args: [...wrapper.args, entry.command, ...entry.args.map(withoutInputs)],
        cwd,
        // The wrapper looks for the command itself, in the same folders.
        env: { ...Object.fromEntries(values), PATH: searchPath(env).join(delimiter) },
      },
      { signal: anySignal(signal, AbortSignal.timeout(probeMs)) },
    )
    const tools = client.server.capabilities.tools ? await client.listTools().toArray() : []
    return { kind: 'seen', snapshot: createSnapshot(JSON.parse(JSON.stringify(tools))) }
  } catch (error) {
    if (signal.aborted) throw error
    return { kind: 'failed', why: errorMessage(error) }
  } finally {
    await rm(cwd, { recursive: true, force: true })
  }
}

/** A secret is not given to a program that is only looked at. */
function withoutInputs(word: string): string {
  return word.replaceAll(/\$\{input:[^}]*\}/g, 'probe')
}

interface Wrapper {
  readonly command: string
  readonly args: readonly string[]
}

/** Tried, since not every system lets its users do what it has a command for. */
function findWrapper(env: Io['env']): Wrapper | undefined {
  if (env['PARLEY_PROBE'] === 'off' || process.platform === 'win32') return undefined
  const wrappers: readonly Wrapper[] =
    process.platform === 'darwin'
      ? [
          {
            command: '/usr/bin/sandbox-exec',
            args: ['-p', '(version 1)(allow default)(deny network*)'],
          },
        ]
      : [{ command: 'unshare', args: ['--map-root-user', '--net', '--'] }]
  const nothing = findProgram('true', { env })
  if (nothing.kind === 'missing') return undefined
  for (const { command, args } of wrappers) {
    const program = findProgram(command, { env })
    if (program.kind === 'missing') continue
    const trialArgs = [...args, nothing.file]
    const trial = spawnSync(program.file, trialArgs, { stdio: 'ignore', timeout: 10_000 })
    if (trial.status === 0) return { command: program.file, args }
  }
  return undefined
}

/** One line for each tool that is not as it was. */
export function describeDifference(difference: SnapshotDifference): readonly string[] {
  const { added, removed, changed } = difference
  if (added.length + removed.length + changed.length === 0) return ['tools: the same as before']
  return [
    ...added.map((name) => `+ tool ${flat(name)}`),
    ...removed.map((name) => `- tool ${flat(name)}`),
    ...changed.map(({ name, fields }) => `~ tool ${flat(name)}: ${fields.join(', ')} changed`),
  ]
}
