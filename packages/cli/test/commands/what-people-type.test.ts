import { execPath } from 'node:process'

import { afterAll, beforeAll, describe } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { repositoryFile } from '../run.ts'
import { transcript } from '../transcript.ts'

let folder: string
beforeAll(() => {
  folder = folderWith(
    {
      '.git/HEAD': '',
      'broken.yaml': 'servers: 3\n',
      'mcp.json': { mcpServers: { notes: { command: 'node' }, more: { command: 'node' } } },
    },
    afterAll,
  )
})

const script = {
  'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [] },
}
const fixture = repositoryFile('packages/cli/test/fixtures/scripted-server.mjs')
const server = [execPath, fixture, JSON.stringify(script)]

describe('what people type works', () => {
  transcript(
    new URL('what-people-type.transcript.md', import.meta.url),
    () => ({ COMMAND: server }),
    () => ({ cwd: folder, env: { PARLEY_STATE: `${folder}/state` } }),
  )
})
