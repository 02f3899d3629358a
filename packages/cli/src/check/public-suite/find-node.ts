import { execFile } from 'node:child_process'
import { execPath, versions } from 'node:process'

import { findProgram } from '@parley/mcp/system'

import { CliError } from '../../exit.ts'
import type { Io } from '../../io.ts'

/** The oldest that the public suite runs on. */
const oldest = 22

const hint = `You can install one beside yours with npm:
  npm install --prefix ~/node22 node@22
Then add --node ~/node22/node_modules/node/bin/node, or put that into PARLEY_NODE.
Our own checks need nothing: leave --suite out.`

/** A Node that the suite runs on: the one that was named, this one, or the one on PATH. */
export async function findNode(
  named: string | undefined,
  { env, cwd, signal }: Io,
): Promise<string> {
  const given = named ?? (env['PARLEY_NODE'] || undefined)
  if (given !== undefined) {
    const found = findProgram(given, { env, cwd })
    const file = found.kind === 'found' ? found.file : undefined
    const where = named === undefined ? 'PARLEY_NODE' : '--node'
    const version = file === undefined ? undefined : await versionOf(file, env, signal)
    if (file !== undefined && version !== undefined && majorOf(version) >= oldest) return file
    const what = version === undefined ? 'is not Node' : `is Node ${version}`
    throw new CliError('error', `${where} ${given} ${what}; the public suite needs ${oldest}`, {
      hint,
    })
  }
  if (majorOf(versions.node) >= oldest) return execPath
  const onPath = findProgram('node', { env })
  const version = onPath.kind === 'found' ? await versionOf(onPath.file, env, signal) : undefined
  if (onPath.kind === 'found' && version !== undefined && majorOf(version) >= oldest) {
    return onPath.file
  }
  throw new CliError('error', `the public suite needs Node ${oldest}, this is ${versions.node}`, {
    hint,
  })
}

function versionOf(file: string, env: Io['env'], signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolved) => {
    execFile(file, ['--version'], { env, signal, timeout: 10_000 }, (error, stdout) => {
      const [, version] = /^v(\d+\.\d+\.\d+)/.exec(stdout) ?? []
      resolved(error === null ? version : undefined)
    })
  })
}

function majorOf(version: string): number {
  return Number(version.split('.')[0])
}
