/** The same calls to the reference server and to ours get the same answers. */

import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import type { CallToolResult } from '@parley/mcp'
import { connect, type Client } from '@parley/mcp/client'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { comparedCalls, type ComparedCall } from './comparison-calls.ts'
import { addLinks, createPlace, open, type Place } from './support.ts'

const reference = fileURLToPath(
  new URL(
    'dist/index.js',
    import.meta.resolve('@modelcontextprotocol/server-filesystem/package.json'),
  ),
)

/** One server with a place of its own. */
interface Side {
  readonly place: Place
  readonly client: Client
}
let [theirs, ours]: (Side | undefined)[] = []

beforeAll(async () => {
  const [one, other] = [await createFilled(), await createFilled()]
  const entry = { command: execPath, args: [reference, one.root] }
  theirs = { place: one, client: await connect(entry, { protocolVersion: '2025-11-25' }) }
  ours = { place: other, client: await open(other) }
})
afterAll(async () => {
  for (const side of [theirs, ours]) {
    await side?.client.close()
    await side?.place[Symbol.asyncDispose]()
  }
})

test.each(
  comparedCalls.map((call, index) => [index, call.tool, JSON.stringify(call.args), call] as const),
)('%i: %s %s', async (_index, _tool, _args, call) => {
  if (!theirs || !ours) throw new Error('not open')
  const [expected, actual] = [await answer(theirs, call), await answer(ours, call)]

  expect(actual).toEqual(expected)
})

test.each([
  ['two directories', ['sub', 'sizes']],
  ['a directory by a link', ['dir-in', 'sizes']],
  ['one inside of the other', ['sub', 'sub/deep']],
])('%s', async (_name, names) => {
  await using place = await createFilled()
  const directories = names.map((name) => place.at(name))
  const entry = { command: execPath, args: [reference, ...directories] }
  await using their = await connect(entry, { protocolVersion: '2025-11-25' })
  await using our = await open(place, { directories })
  const calls: readonly ComparedCall[] = [
    { tool: 'list_allowed_directories', args: {} },
    { tool: 'list_directory', args: { path: '.' } },
    { tool: 'read_text_file', args: { path: 'b.md' } },
    { tool: 'read_text_file', args: { path: 'ROOT/sub/b.md' } },
    { tool: 'read_text_file', args: { path: 'ROOT/dir-in/b.md' } },
    { tool: 'read_text_file', args: { path: 'ROOT/a.txt' } },
    { tool: 'read_text_file', args: { path: 'nope.txt' } },
    { tool: 'search_files', args: { path: `${directories[0]}`, pattern: '**' } },
  ]
  for (const call of calls) {
    const sides = [
      { place, client: our },
      { place, client: their },
    ] as const
    expect(await answer(sides[0], call)).toEqual(await answer(sides[1], call))
  }
})

async function createFilled(): Promise<Place> {
  const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index}\n`).join('')
  const place = await createPlace({
    'a.txt': 'one\ntwo\nthree\nfour\nfive\n',
    'crlf.txt': 'one\r\ntwo\r\nthree',
    'long.txt': lines,
    'empty.txt': '',
    'latin.txt': Uint8Array.of(0xe9, 0x0a),
    'code.py': 'def f():\n    if x:\n        pass\n    return 2\n',
    'picture.png': Uint8Array.of(137, 80, 78, 71),
    'picture.SVG': '<svg/>',
    'sound.mp3': 'x',
    'sound.flac': 'x',
    'bytes.bin': Uint8Array.of(0, 1, 2, 255),
    '.hidden': 'h',
    'sub/b.md': '# B\n\n```js\nx\n```\n',
    'sub/deep/c.txt': 'c'.repeat(3_000),
    'empty/x/y': '',
    'sizes/B.txt': 'x'.repeat(5_000),
    'sizes/a.txt': 'x'.repeat(50),
    'sizes/_c.txt': '',
    'sizes/folder/x': '',
    'sizes/a-name-that-is-longer-than-the-column-of-names.txt': 'x'.repeat(2_000_000),
  })
  await place.write({})
  await removeInside(place)
  await addLinks(place)
  return place
}

/** `empty` is a directory with nothing in it. */
async function removeInside(place: Place): Promise<void> {
  const { rm } = await import('node:fs/promises')
  await rm(place.at('empty/x'), { recursive: true })
}

/** What came back, with what differs between two runs taken out. */
async function answer({ place, client }: Side, { tool, args }: ComparedCall): Promise<unknown> {
  const real = JSON.parse(
    JSON.stringify(args).replaceAll('ROOT', place.root).replaceAll('OUTSIDE', place.outside),
  ) as Record<string, unknown> // what was just written
  const result: CallToolResult = await client.callTool(tool, real)
  const { content, structuredContent, isError = false } = result
  const masked = JSON.stringify({ content, structuredContent, isError })
    .replaceAll(place.outside, 'OUTSIDE')
    .replaceAll(place.root, 'ROOT')
    .replaceAll(place.root.replace(/\/root$/, ''), 'BASE')
    .replaceAll(/(created|modified|accessed): [^\\]+/g, '$1: TIME')
  return JSON.parse(masked)
}
