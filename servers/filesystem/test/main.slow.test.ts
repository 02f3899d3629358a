import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import { connect } from '@parley/mcp/client'
import { describe, expect, test } from 'vitest'

import { triedRevisions } from '../../../test-support/revisions.ts'
import { createPlace, textOf } from './support.ts'

const program = fileURLToPath(new URL('../dist/main.js', import.meta.url))

function run(...args: readonly string[]) {
  return spawnSync(execPath, [program, ...args], { encoding: 'utf8', input: '', timeout: 60_000 })
}

describe.each(triedRevisions)('the program, in %s', (protocolVersion) => {
  test('serves the directories, or the roots of who started it', async () => {
    await using place = await createPlace({ 'one/a.txt': 'a', 'two/b.txt': 'b' })
    const entry = { command: execPath, args: [program, place.at('one')] }
    await using plain = await connect(entry, { protocolVersion })
    await using rooted = await connect(entry, { protocolVersion, roots: [place.at('two')] })

    expect(plain.negotiated).toMatchObject({ revision: protocolVersion, transport: 'stdio' })
    expect(textOf(await plain.callTool('read_text_file', { path: 'a.txt' }))).toBe('a')
    expect(textOf(await rooted.callTool('read_text_file', { path: 'b.txt' }))).toBe('b')
    const path = place.at('one/a.txt')
    expect(textOf(await rooted.callTool('read_text_file', { path }))).toMatch(/^Access denied/)
  })
})

test('offers nothing that writes with --read-only', async () => {
  await using place = await createPlace({ 'a.txt': 'needle' })
  const args = [program, '--read-only', '--enable', 'grep_files,delete_file', place.root]
  await using client = await connect({ command: execPath, args })

  const names = (await client.listTools().toArray()).map(({ name }) => name)

  expect(names).toContain('grep_files')
  expect(names.filter((name) => /write|edit|create|move|delete|copy/.test(name))).toEqual([])
  await expect(client.callTool('write_file', { path: 'b', content: '' })).rejects.toThrow(
    'unknown tool',
  )
})

test('serves what is there, warns of what is not', async () => {
  await using place = await createPlace({ 'a.txt': 'a' })
  const args = [program, place.at('none'), place.root]
  await using client = await connect({ command: execPath, args })

  expect(textOf(await client.callTool('list_allowed_directories'))).toBe(
    `Allowed directories:\n${place.root}`,
  )
})

test.each([
  [['/not/there'], 'None of the directories can be used. Name one that exists.'],
  [['--http', '0'], 'Name the directories to serve'],
  [['--ignore-roots'], 'Name the directories to serve'],
  [['--enable', 'grep_file', tmpdir()], 'Did you mean grep_files?'],
  [['--max-results', '0', tmpdir()], '--max-results takes a whole number'],
  [['--gitignor', tmpdir()], 'Did you mean --gitignore?'],
  [['--http', '0', '--host', '0.0.0.0', tmpdir()], '--auth-token TOKEN or FILESYSTEM_AUTH_TOKEN'],
])('ends with status 1 for %j', (args, reason) => {
  const { status, stderr, stdout } = run(...args)

  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toContain(reason)
})

test('the measurement of searches runs', () => {
  const script = fileURLToPath(new URL('../bench/search.mjs', import.meta.url))
  const { stdout } = spawnSync(execPath, [script, '--files', '500', '--json'], { encoding: 'utf8' })

  expect(JSON.parse(stdout)).toMatchObject({
    files: 500,
    results: [{ server: 'ours', found: 5 }, { found: 1 }, { found: 509 }, { found: 5 }],
  })
})

test('a large file is edited in a thread of the program', async () => {
  const lines = 'a line of this file\n'.repeat(200_000)
  await using place = await createPlace({ 'a.txt': `${lines}the last\n` })
  await using client = await connect({ command: execPath, args: [program, place.root] })
  const edit = (oldText: string) =>
    client.callTool('edit_file', { path: 'a.txt', edits: [{ oldText, newText: 'the end' }] })

  expect(textOf(await edit('the last'))).toContain('-the last\n+the end\n')
  expect(textOf(await edit('the last'))).toContain('Could not find exact match for edit:\nthe last')
})
