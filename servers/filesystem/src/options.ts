import { stat } from 'node:fs/promises'

import { readDirectoryRequest } from '@parley/server-kit/paths'
import { pickExtras, UsageError, type ProgramRun } from '@parley/server-kit/program'

import { extras, type FilesystemOptions } from './settings.ts'

/** What the program was started with. */
interface Started extends Omit<ProgramRun, 'values'> {
  readonly values: {
    readonly enable?: readonly string[] | undefined
    readonly gitignore?: boolean | undefined
    readonly 'ignore-roots'?: boolean | undefined
    readonly 'max-read-bytes'?: string | undefined
    readonly 'max-results'?: string | undefined
    readonly trash?: string | undefined
  }
}

/** Turns the command line into options. Throws `UsageError` at what cannot work. */
export async function readOptions(started: Started): Promise<FilesystemOptions> {
  const { values, transport, isReadOnly } = started
  const isOwnClient = transport === 'stdio' // it started us, and could read those files by itself
  const ignoresRoots = values['ignore-roots'] === true
  const directories = await usableDirectories(started)
  if (directories.length === 0 && (!isOwnClient || ignoresRoots)) {
    throw new UsageError(
      'Name the directories to serve: only a client over stdio can bring its own.',
    )
  }
  return {
    directories,
    readOnly: isReadOnly,
    roots: ignoresRoots ? 'ignore' : isOwnClient ? 'replace' : 'narrow',
    gitignore: values.gitignore,
    enable: pickExtras(values.enable, extras),
    maxReadBytes: readCount('max-read-bytes', values['max-read-bytes']),
    maxResults: readCount('max-results', values['max-results']),
    trash: values.trash,
  }
}

/** Those that are there; a warning for the others. */
async function usableDirectories({ positionals, log }: Started): Promise<readonly string[]> {
  const usable: string[] = []
  for (const given of positionals) {
    const { path } = readDirectoryRequest(given)
    const isThere = await stat(path).then(
      (stats) => stats.isDirectory(),
      () => false,
    )
    if (isThere) usable.push(given)
    else log(`Warning: no directory that can be used: ${path}`)
  }
  if (positionals.length > 0 && usable.length === 0) {
    throw new UsageError('None of the directories can be used.')
  }
  return usable
}

function readCount(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new UsageError(`--${name} takes a whole number from 1 on, not ${JSON.stringify(text)}.`)
}
