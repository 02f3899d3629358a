#!/usr/bin/env node
/** The memory server as a program. */

import process from 'node:process'

import { runServer, UsageError } from '@parley/server-kit/program'

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
    enable: {
      type: 'string',
      multiple: true,
      value: 'LIST',
      about: `also ${extras.join(', ')}; separated by commas`,
    },
  },
  create({ values, log }) {
    const wanted = (values.enable ?? []).flatMap((list) => list.split(',')).map((one) => one.trim())
    const enable = wanted.map((name) => {
      const known = extras.find((extra) => extra === name)
      if (known === undefined)
        throw new UsageError(`--enable knows ${extras.join(', ')}, not ${name}.`)
      return known
    })
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
