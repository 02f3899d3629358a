import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('../run.mjs', import.meta.url))

test('the servers alone, quickly, yield figures for ours and for the official one', async () => {
  const args = [program, 'servers', '--quick', '--json']
  const { stdout } = await promisify(execFile)(process.execPath, args)

  const { results, servers } = JSON.parse(stdout)
  expect(results).toEqual([])
  expect(servers.map(({ name }: { name: string }) => name)).toEqual([
    'filesystem-search',
    'fetch-page',
  ])
  const [search] = servers
  expect(search.rows.map(({ title }: { title: string }) => title.split(',')[0])).toEqual([
    'parley',
    'parley',
    'official',
    'official',
  ])
  for (const { rows } of servers) for (const { ms } of rows) expect(ms).toBeGreaterThan(0)
}, 60_000)
