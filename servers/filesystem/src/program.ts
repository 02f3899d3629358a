import { enableFlag, type ProgramOptions } from '@parley/server-kit/program'

import { createFilesystemServer, extras } from './filesystem.ts'
import { readOptions } from './options.ts'

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
  create: async (run) => createFilesystemServer(await readOptions(run)),
}
