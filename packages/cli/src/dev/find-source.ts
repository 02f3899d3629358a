import { statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { execPath } from 'node:process'

import type { CommandEntry } from '@parley/mcp/client'

import type { CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import { readPair, type CommonFlags } from '../flags.ts'
import { mainFile } from '../main-file.ts'

/** A server in the making. */
export interface Source {
  readonly name: string
  readonly entry: CommandEntry
  /** Where changes count. */
  readonly folders: readonly string[]
}

/** What a command line of `parley dev` means: a file that exports a server, or a command behind `--`. */
export function findSource(
  file: string | undefined,
  flags: CommonFlags & { readonly watch?: readonly string[] | undefined },
  { io, serverCommand }: CommandContext,
): Source {
  const env = Object.fromEntries((flags.env ?? []).map((pair) => readPair(pair, '-e')))
  const cwd = flags.cwd === undefined ? io.cwd : requireFolder(resolve(io.cwd, flags.cwd))
  const foldersOr = (usual: string) =>
    (flags.watch ?? [usual]).map((folder) => requireFolder(resolve(io.cwd, folder)))
  if (serverCommand !== undefined) {
    const [command, ...args] = serverCommand
    if (command === undefined || file !== undefined) throw noServer()
    const entry = { command, args, env, cwd }
    return { name: basename(command), entry, folders: foldersOr(cwd) }
  }
  if (file === undefined) throw noServer()
  const path = resolve(io.cwd, file)
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new CliError('error', `file not found: ${file}`)
  }
  const entry = { command: execPath, args: [mainFile(), 'serve', path], env, cwd }
  return { name: basename(path), entry, folders: foldersOr(dirname(path)) }
}

function noServer(): CliError {
  return new CliError('error', 'no server was named', {
    hint: 'Name one: parley dev server.ts, or a command: parley dev -- python server.py',
  })
}

function requireFolder(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return path
  throw new CliError('error', `folder not found: ${path}`)
}
