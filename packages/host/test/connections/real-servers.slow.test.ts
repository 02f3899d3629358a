import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { of, play, testHost } from '../playing.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

function started(name: string, file: string, args: readonly string[] = [], env = {}) {
  return { name, target: { command: execPath, args: [join(root, file), ...args], env } }
}

test('official servers and ours work side by side in one host [HOST-02] [HOST-06]', async () => {
  const folder = folderWith({ 'hello.txt': 'Hello from a file.' })
  writeFileSync(join(folder, 'memory.jsonl'), '')
  const official = 'node_modules/@modelcontextprotocol'
  const host = testHost(
    [
      {
        calls: [
          { name: 'official-everything__echo', arguments: { message: 'one' } },
          {
            name: 'official-files__read_text_file',
            arguments: { path: join(folder, 'hello.txt') },
          },
          { name: 'official-memory__read_graph', arguments: {} },
          { name: 'everything__echo', arguments: { message: 'two' } },
          { name: 'files__read_text_file', arguments: { path: join(folder, 'hello.txt') } },
          { name: 'time__get_current_time', arguments: { timezone: 'Europe/Oslo' } },
        ],
      },
      'Done.',
    ],
    [
      started('official-everything', `${official}/server-everything/dist/index.js`, ['stdio']),
      started('official-files', `${official}/server-filesystem/dist/index.js`, [folder]),
      started('official-memory', `${official}/server-memory/dist/index.js`, [], {
        MEMORY_FILE_PATH: join(folder, 'memory.jsonl'),
      }),
      started('everything', 'servers/everything/dist/main.js', ['stdio']),
      started('files', 'servers/filesystem/dist/main.js', [folder]),
      started('time', 'servers/time/dist/main.js'),
    ],
    { timeouts: { startMs: 90_000 }, context: { mode: 'all' } },
  )

  const events = await play(host.turn('Go.'))

  const states = host.servers.map(({ name, status }) => [name, status.state, status.error])
  expect(states.filter(([, state]) => state !== 'ready')).toEqual([])
  const texts = of(events, 'result').map(({ id, isError, content }) => [
    id,
    isError,
    content[0]?.type === 'text' ? content[0].text : '',
  ])
  expect(texts.toSorted(([a], [b]) => String(a).localeCompare(String(b)))).toEqual([
    ['call-1', false, 'Echo: one'],
    ['call-2', false, 'Hello from a file.'],
    ['call-3', false, expect.stringContaining('entities')],
    ['call-4', false, 'Echo: two'],
    ['call-5', false, expect.stringContaining('Hello from a file.')],
    ['call-6', false, expect.stringContaining('Europe/Oslo')],
  ])
})
