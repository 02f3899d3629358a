import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

import { embed, resourceLink, ToolError } from '@parley/mcp'
import { defineTool, type Feature } from '@parley/mcp/server'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { limitsFromEnvironment, loadData } from '../load-data.ts'
import { keepFile, type FindSession } from '../session.ts'

const compress = promisify(gzip)

/** The address of a file kept for a session. */
export function sessionUri(name: string): string {
  return `demo://resource/session/${encodeURIComponent(name)}`
}

/** Makes a resource that only this session has. `changed` says that the list of resources is another one now. */
export function gzipTool(sessionOf: FindSession, changed: () => void): Feature {
  return defineTool(
    'gzip-file-as-resource',
    {
      title: 'GZip File as Resource Tool',
      description:
        'Compresses the content of a URL and keeps it for this session as a resource, given as a link or in full.',
      inputSchema: z.object({
        name: z.string().default('README.md.gz').describe('The name of the new file'),
        data: z
          .url()
          .default(
            'https://raw.githubusercontent.com/modelcontextprotocol/servers/refs/heads/main/README.md',
          )
          .describe('A data: URL, or a page of an allowed host'),
        outputType: z
          .enum(['resourceLink', 'resource'])
          .default('resourceLink')
          .describe('A link, or the file itself'),
      }),
      annotations: toolHints('adds', { idempotent: true, openWorld: true }),
      task: 'never',
    },
    async ({ name, data, outputType }, context) => {
      const bytes = await loadData(data, limitsFromEnvironment(), context.signal).catch(
        (error: Error) => {
          throw new ToolError(`Error processing file ${data}: ${error.message}`, { cause: error })
        },
      )
      const file = { name, mimeType: 'application/gzip', bytes: await compress(bytes) }
      keepFile(sessionOf(context), file)
      changed()
      const uri = sessionUri(name)
      if (outputType === 'resource') return embed(uri, file.bytes, { mimeType: file.mimeType })
      return resourceLink({ uri, name, mimeType: file.mimeType, size: file.bytes.byteLength })
    },
  )
}
