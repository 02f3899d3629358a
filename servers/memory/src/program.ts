import { env } from 'node:process'

import { errorMessage } from '@parley/mcp/json'
import { enableFlag, pickExtras, UsageError, type ProgramOptions } from '@parley/server-kit/program'

import { createMemoryServer, extras, memoryFile } from './memory.ts'

const options = {
  file: {
    type: 'string',
    value: 'PATH',
    about: 'the memory, *.jsonl (default: MEMORY_FILE_PATH, else in your data directory)',
  },
  enable: enableFlag(extras),
} as const

/** The memory server as a program. */
export const memoryProgram: ProgramOptions<typeof options> = {
  name: 'memory',
  version: '0.1.0',
  summary:
    'A knowledge graph that outlives the conversation, in a file that many processes can write.',
  options,
  create({ values, log }) {
    const enable = pickExtras(values.enable, extras)
    return createMemoryServer({ file: fileFrom(values.file), enable, onNotice: log })
  },
}

function fileFrom(flag: string | undefined): string {
  try {
    return memoryFile(flag ?? env['MEMORY_FILE_PATH'])
  } catch (error) {
    throw new UsageError(errorMessage(error))
  }
}
