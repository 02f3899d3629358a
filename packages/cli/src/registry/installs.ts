import { join } from 'node:path'

import { changeLockedFile, readPrivateFile } from '@parley/foundation/files'
import { stateFolder } from '@parley/foundation/secrets'
import type { ToolSnapshot } from '@parley/registry/client'

import { CliError } from '../exit.ts'
import type { Io } from '../io.ts'

/** What `parley add` wrote, and where it had it from. */
export interface Install {
  /** The configuration file, and the name of the entry in it. */
  readonly file: string
  readonly entry: string
  /** As `--client` has it. */
  readonly product: string
  readonly registry: string
  readonly name: string
  readonly version: string
  /** Of the document, SHA-256 of its canonical JSON. */
  readonly hash: string
  /** The package or remote, without its version. */
  readonly use: string
  /** The hash that the document names for a file to be installed. */
  readonly fileSha256?: string | undefined
  /** Whether the user named the version. */
  readonly isPinned: boolean
  /** Answers that are no secrets. */
  readonly answers: { readonly [id: string]: string }
  readonly addedAt: string
  readonly publishedAt?: string | undefined
  /** What the registry noticed and checked then. */
  readonly flags: readonly string[]
  readonly checks: readonly string[]
  /** The tools it had when it was probed. */
  readonly snapshot?: ToolSnapshot | undefined
}

const maxInstalls = 1_000
const fileOf = ({ env }: Io) => join(stateFolder({ env }), 'registry-installs.json')

/** All that was added, the last first. */
export async function readInstalls(io: Io): Promise<readonly Install[]> {
  const path = fileOf(io)
  return parse(await readPrivateFile(path), path)
}

/** Remembers one, in place of an earlier one of the same entry. */
export async function keepInstall(install: Install, io: Io): Promise<void> {
  const path = fileOf(io)
  await changeLockedFile(path, (text) => {
    const others = parse(text, path).filter(
      ({ file, entry }) => file !== install.file || entry !== install.entry,
    )
    const installs = [install, ...others].slice(0, maxInstalls)
    return `${JSON.stringify({ installs }, null, 2)}\n`
  })
}

/** Forgets where an entry came from. */
export async function forgetInstall(
  { file, entry }: Pick<Install, 'file' | 'entry'>,
  io: Io,
): Promise<void> {
  const path = fileOf(io)
  if ((await readPrivateFile(path)) === undefined) return
  await changeLockedFile(path, (text) => {
    const installs = parse(text, path).filter(
      (candidate) => candidate.file !== file || candidate.entry !== entry,
    )
    return `${JSON.stringify({ installs }, null, 2)}\n`
  })
}

function parse(text: string | undefined, path: string): readonly Install[] {
  if (text === undefined) return []
  try {
    const { installs } = JSON.parse(text) as { readonly installs: readonly Install[] } // only we write it
    return installs
  } catch (cause) {
    throw new CliError('error', `${path} cannot be read`, {
      hint: 'It says where entries came from. Remove it, and add the servers again.',
      cause,
    })
  }
}
