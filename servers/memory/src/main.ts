#!/usr/bin/env node
/** The memory server as a program. */

import process from 'node:process'

import { enableFlag, pickExtras, runServer, UsageError } from '@parley/server-kit/program'

import { createMemoryServer, extras, memoryFile } from './memory.ts'

await runServer({
  name: 'memory',
  version: '0.1.0',
  summary:
    'A knowledge graph that outlives the conversation, in a file that many processes can write.',
  options: {
    file: {
      type: 'string',
      value: 'PATH',
      about: 'the memory, *.jsonl (default: MEMORY_FILE_PATH, else in your data directory)',
    },
    enable: enableFlag(extras),
  },
  create({ values, log }) {
    const enable = pickExtras(values.enable, extras)
    return createMemoryServer({ file: fileFrom(values.file), enable, onNotice: log })
  },
})

function fileFrom(flag: string | undefined): string {
  try {
    return memoryFile(flag ?? process.env['MEMORY_FILE_PATH'])
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}
