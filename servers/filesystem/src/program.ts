import { stat } from 'node:fs/promises'

import { readDirectoryRequest } from '@parley/server-kit/paths'
import {
  enableFlag,
  pickExtras,
  readCount,
  UsageError,
  type ProgramOptions,
  type ProgramRun,
} from '@parley/server-kit/program'

import { createFilesystemServer, extras } from './filesystem.ts'

const options = {
  enable: enableFlag(extras),
  gitignore: { type: 'boolean', about: 'leave out what .gitignore files name' },
  'ignore-roots': { type: 'boolean', about: 'the directories count, whatever the client says' },
  'max-read-bytes': { type: 'string', value: 'N', about: 'of a file read whole (10 MiB)' },
  'max-results': { type: 'string', value: 'N', about: 'of a list or search (20000)' },
  trash: { type: 'string', value: 'PATH', about: 'where delete_file puts things' },
} as const

/** The filesystem server as a program. */
export const filesystemProgram: ProgramOptions<typeof options> = {
  name: 'filesystem',
  version: '0.1.0',
  summary: 'Files below the given directories, and nothing else.',
  positionals: {
    name: '[DIRECTORY...]',
    about: 'may be used; ro:DIRECTORY only for reading. None: the roots of the client',
  },
  options,
  async create(run) {
    const { values, transport, isReadOnly } = run
    const isLocalClient = transport === 'stdio' // it started us, and could read those files by itself
    const ignoresRoots = values['ignore-roots'] === true
    const directories = await usableDirectories(run)
    if (directories.length === 0 && (!isLocalClient || ignoresRoots)) {
      throw new UsageError(
        'Name the directories to serve: only a client over stdio can bring its own.',
      )
    }
    return createFilesystemServer({
      directories,
      readOnly: isReadOnly,
      roots: ignoresRoots ? 'ignore' : isLocalClient ? 'replace' : 'narrow',
      gitignore: values.gitignore,
      enable: pickExtras(values.enable, extras),
      maxReadBytes: readCount('max-read-bytes', values['max-read-bytes']),
      maxResults: readCount('max-results', values['max-results']),
      trash: values.trash,
    })
  },
}

/** Those that are there; a warning for the others. */
async function usableDirectories({
  positionals,
  log,
}: Pick<ProgramRun, 'positionals' | 'log'>): Promise<readonly string[]> {
  const usable: string[] = []
  for (const directory of positionals) {
    const { path } = readDirectoryRequest(directory)
    const isThere = await stat(path).then(
      (stats) => stats.isDirectory(),
      () => false,
    )
    if (isThere) usable.push(directory)
    else log(`Warning: no directory that can be used: ${path}`)
  }
  if (positionals.length > 0 && usable.length === 0) {
    throw new UsageError('None of the directories can be used. Name one that exists.')
  }
  return usable
}
