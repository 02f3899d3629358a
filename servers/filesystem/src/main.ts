#!/usr/bin/env node
/** The filesystem server as a program. */

import { runServer } from '@parley/server-kit/program'

import { createFilesystemServer, extras } from './filesystem.ts'
import { readOptions } from './options.ts'

await runServer({
  name: 'filesystem',
  version: '0.1.0',
  summary: 'Files below the given directories, and nothing else.',
  positionals: {
    name: '[DIRECTORY...]',
    about: 'may be used; ro:DIRECTORY only for reading. None: the roots of the client',
  },
  options: {
    enable: {
      type: 'string',
      multiple: true,
      value: 'LIST',
      about: `more than the reference server has: all, or some of ${extras.join(', ')}`,
    },
    gitignore: { type: 'boolean', about: 'leave out what .gitignore files name' },
    'ignore-roots': { type: 'boolean', about: 'the directories count, whatever the client says' },
    'max-read-bytes': { type: 'string', value: 'N', about: 'of a file read whole (10 MiB)' },
    'max-results': { type: 'string', value: 'N', about: 'of a list or search (20000)' },
    trash: { type: 'string', value: 'PATH', about: 'where delete_file puts things' },
  },
  create: async (run) => createFilesystemServer(await readOptions(run)),
})
