/** Where ours differs from the reference server, and what bounds it. */

import { readFile, symlink, writeFile } from 'node:fs/promises'

import { expect, test } from 'vitest'

import type { FilesystemOptions } from '../src/filesystem.ts'
import { runHere } from '../src/task/edit-tasks.ts'
import { addLinks, createPlace, open, textOf } from './support.ts'

test('a file that is no text is not given as one, and the cure is named', async () => {
  await using place = await createPlace({ 'bytes.bin': Uint8Array.of(65, 0, 66) })
  await using client = await open(place)

  for (const part of [{}, { head: 1 }, { tail: 1 }]) {
    const result = await client.callTool('read_text_file', { path: 'bytes.bin', ...part })
    expect(result.isError).toBe(true)
    expect(textOf(result)).toBe('Not a text file: bytes.bin. Use read_media_file to get its bytes.')
  }
})

test('a file over the limit is read in parts only', async () => {
  const lines = Array.from({ length: 50_000 }, (_, index) => `line ${index}`).join('\n')
  await using place = await createPlace({ 'large.txt': lines })
  await using client = await open(place, { maxReadBytes: 100_000 })
  const read = (tool: string, more: object) => client.callTool(tool, { path: 'large.txt', ...more })

  const whole = await read('read_text_file', {})
  expect(whole.isError).toBe(true)
  expect(textOf(whole)).toContain(
    `has ${lines.length} bytes, the limit is 100000. Use head or tail`,
  )
  expect(textOf(await read('read_media_file', {}))).toContain('File too large')
  expect(textOf(await read('edit_file', { edits: [] }))).toContain('File too large')
  expect(textOf(await read('read_text_file', { head: 2 }))).toBe('line 0\nline 1')
  expect(textOf(await read('read_text_file', { tail: 2 }))).toBe('line 49998\nline 49999')
  expect(textOf(await read('read_text_file', { head: 40_000 }))).toContain('Ask for fewer')
  expect(textOf(await read('read_text_file', { tail: 40_000 }))).toContain('Ask for fewer')
})

test('several files share one limit', async () => {
  await using place = await createPlace({ a: 'x'.repeat(600), b: 'y'.repeat(600) })
  await using client = await open(place, { maxReadBytes: 1_000 })

  const text = textOf(await client.callTool('read_multiple_files', { paths: ['a', 'b'] }))

  expect(text).toContain('x'.repeat(600))
  expect(text).toContain('b: Error - File too large')
})

test('letters of several bytes are whole at the borders of what is read', async () => {
  const lines = Array.from({ length: 30_000 }, () => '€ü').join('\n')
  await using place = await createPlace({ 'wide.txt': lines })
  await using client = await open(place)

  for (const part of ['head', 'tail']) {
    const text = textOf(
      await client.callTool('read_text_file', { path: 'wide.txt', [part]: 25_000 }),
    )
    expect(new Set(text.split('\n'))).toEqual(new Set(['€ü']))
    expect(text.split('\n')).toHaveLength(25_000)
  }
})

test('an edit keeps how lines end', async () => {
  await using place = await createPlace({
    'crlf.txt': 'one\r\ntwo\r\n',
    'mixed.txt': 'one\r\ntwo\n',
  })
  await using client = await open(place)

  for (const path of ['crlf.txt', 'mixed.txt']) {
    await client.callTool('edit_file', { path, edits: [{ oldText: 'one\ntwo', newText: '1\n2' }] })
  }

  expect(await readFile(place.at('crlf.txt'), 'utf8')).toBe('1\r\n2\r\n')
  expect(await readFile(place.at('mixed.txt'), 'utf8')).toBe('1\n2\n')
})

test.each([
  [
    '    if a:\n        go()\n',
    'if a:\n    go()',
    'if b:\n    stop()',
    '    if b:\n        stop()\n',
  ],
  ['if a:\n    go()\n', '    if a:\n        go()', '    if b:\n        go()', 'if b:\n    go()\n'],
  [
    '\tif (a) {\n\t\tgo()\n\t}\n',
    'if (a) {\n\tgo()\n}',
    'if (b) {\n\n\tgo()\n}',
    '\tif (b) {\n\n\t\tgo()\n\t}\n',
  ],
])(
  'lines found by another indentation stay where they were: %j',
  async (before, oldText, newText, after) => {
    await using place = await createPlace({ 'code.txt': before })
    await using client = await open(place)

    await client.callTool('edit_file', { path: 'code.txt', edits: [{ oldText, newText }] })

    expect(await readFile(place.at('code.txt'), 'utf8')).toBe(after)
  },
)

test('an edit that fails leaves the file as it was, whatever came before it', async () => {
  await using place = await createPlace({ 'a.txt': 'one' })
  await using client = await open(place)
  const edits = [
    { oldText: 'one', newText: 'two' },
    { oldText: 'absent', newText: '' },
  ]

  const result = await client.callTool('edit_file', { path: 'a.txt', edits })

  expect(result.isError).toBe(true)
  expect(await readFile(place.at('a.txt'), 'utf8')).toBe('one')
})

test('edits of one file that are made side by side are all made', async () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}.`)
  await using place = await createPlace({ 'a.txt': lines.join('\n') })
  await using client = await open(place)

  await Promise.all(
    lines.map((oldText) =>
      client.callTool('edit_file', { path: 'a.txt', edits: [{ oldText, newText: 'done' }] }),
    ),
  )

  expect(await readFile(place.at('a.txt'), 'utf8')).toBe(lines.map(() => 'done').join('\n'))
})

test('a link to nowhere is refused, for reading and for writing', async () => {
  await using place = await createPlace({ 'a.txt': 'x', 'sub/b': '' })
  await addLinks(place)
  await using client = await open(place)

  for (const [tool, args] of [
    ['read_text_file', { path: 'dangling' }],
    ['write_file', { path: 'dangling', content: 'x' }],
    ['move_file', { source: 'a.txt', destination: 'dangling' }],
  ] as const) {
    const result = await client.callTool(tool, args)
    expect(result.isError).toBe(true)
    expect(textOf(result)).toBe(`Access denied - symlink without a target: ${place.at('dangling')}`)
  }
})

test('the size of what a link leads to is told only inside', async () => {
  await using place = await createPlace({ 'a.txt': 'x'.repeat(7), 'sub/b': '' })
  await addLinks(place)
  await using client = await open(place)

  const text = textOf(await client.callTool('list_directory_with_sizes', { path: '.' }))

  expect(text).toMatch(/link-in +7 B/)
  expect(text).toMatch(/link-out +0 B/)
})

test('searches, lists and trees end at their limit and say so', async () => {
  const files = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, '']))
  await using place = await createPlace(files)
  await using client = await open(place, { maxResults: 10 })

  const found = textOf(await client.callTool('search_files', { path: '.', pattern: '*' }))
  const listed = textOf(await client.callTool('list_directory', { path: '.' }))
  const tree = await client.callTool('directory_tree', { path: '.' })

  expect(found.split('\n')).toHaveLength(11)
  expect(found).toContain('stopped after 10 matches')
  expect(listed).toContain('and 20 more')
  expect(tree.isError).toBe(true)
  expect(textOf(tree)).toContain('More than 10 entries')
})

test.each([['+(a|b)'], ['a'.repeat(2_000)], ['{0..99}{0..99}']])(
  'refuses the pattern %.20s',
  async (pattern) => {
    await using place = await createPlace()
    await using client = await open(place)

    const result = await client.callTool('search_files', { path: '.', pattern })

    expect(result.isError).toBe(true)
    expect(textOf(result)).toMatch(/pattern/)
  },
)

test('a long walk tells how far it is, and ends when nobody waits any more', async () => {
  const files = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`d${index}/x`, '']))
  await using place = await createPlace(files)
  await using client = await open(place)
  const seen: number[] = []
  const args = { path: '.', pattern: '**/x' }

  await client.callTool('search_files', args, { onProgress: ({ progress }) => seen.push(progress) })
  const controller = new AbortController()
  const cancelled = client.callTool('search_files', args, {
    signal: controller.signal,
    onProgress: () => controller.abort(),
  })

  expect(seen.at(-1)).toBe(120)
  await expect(cancelled).rejects.toThrow()
})

test.each([
  ['read_multiple_files', { paths: ['a', 'b', 'missing'] }, 3],
  ['list_directory_with_sizes', { path: '.' }, 2],
])('%s tells how far it has come', async (tool, args, total) => {
  await using place = await createPlace({ a: '', b: '' })
  await using client = await open(place)
  const seen: unknown[] = []

  await client.callTool(tool, args, { onProgress: (progress) => seen.push(progress) })

  expect(seen.at(-1)).toEqual({ progress: total, total })
})

test('with a .gitignore what it names is left out, if so asked', async () => {
  await using place = await createPlace({
    '.gitignore': 'dist/\n*.log\n!keep.log\n',
    'dist/x.js': '',
    'a.log': '',
    'keep.log': '',
    'sub/.gitignore': '/local\n',
    'sub/local': '',
    'sub/deep/local': '',
    '.git/config': '',
  })
  await using plain = await open(place)
  await using careful = await open(place, { gitignore: true })
  const found = async (client: typeof plain, path = '.') =>
    textOf(await client.callTool('search_files', { path, pattern: '**/*' }))
      .split('\n')
      .map((one) => one.slice(place.root.length + 1))

  expect(await found(plain)).toContain('dist/x.js')
  expect(await found(careful)).toEqual([
    '.gitignore',
    'keep.log',
    'sub',
    'sub/.gitignore',
    'sub/deep',
    'sub/deep/local',
  ])
  expect(await found(careful, 'sub')).not.toContain('sub/local')
  expect(textOf(await careful.callTool('list_directory', { path: '.' }))).toBe(
    '[FILE] .gitignore\n[FILE] keep.log\n[DIR] sub',
  )
  await place.write({ 'sub/b.log': '' })
  expect(textOf(await careful.callTool('list_directory', { path: 'sub' }))).toBe(
    '[FILE] .gitignore\n[DIR] deep',
  )
})

test('a file that is replaced while it is read is read as it was', async () => {
  await using place = await createPlace({ 'a.txt': 'before' })
  await using client = await open(place)

  const [read] = await Promise.all([
    client.callTool('read_text_file', { path: 'a.txt' }),
    client.callTool('write_file', { path: 'a.txt', content: 'after' }),
  ])

  expect(['before', 'after']).toContain(textOf(read))
})

test('with two directories a relative path is found in either', async () => {
  await using place = await createPlace({ 'one/a.txt': 'a', 'two/b.txt': 'b' })
  await using client = await open(place, { directories: [place.at('one'), place.at('two')] })

  expect(textOf(await client.callTool('read_text_file', { path: 'b.txt' }))).toBe('b')
  expect(textOf(await client.callTool('list_allowed_directories'))).toBe(
    `Allowed directories:\n${place.at('one')}\n${place.at('two')}`,
  )
})

test('a directory for reading only is not written to', async () => {
  await using place = await createPlace({ 'one/a.txt': 'a', 'two/b.txt': 'b' })
  await using client = await open(place, {
    directories: [`ro:${place.at('one')}`, place.at('two')],
  })

  for (const [tool, args] of [
    ['write_file', { path: 'a.txt', content: 'x' }],
    ['edit_file', { path: 'a.txt', edits: [{ oldText: 'a', newText: 'x' }] }],
    ['create_directory', { path: place.at('one/new') }],
    ['move_file', { source: place.at('two/b.txt'), destination: place.at('one/b.txt') }],
    ['move_file', { source: place.at('one/a.txt'), destination: place.at('two/a.txt') }],
  ] as const) {
    const result = await client.callTool(tool, args)
    expect(textOf(result)).toMatch(/^Access denied - read-only directory/)
  }
  expect(await readFile(place.at('one/a.txt'), 'utf8')).toBe('a')
})

test('writing through a link in a folder does not reach outside', async () => {
  await using place = await createPlace()
  await writeFile(place.at('real.txt'), 'real')
  await symlink(place.at('real.txt'), place.at('link.txt'))
  await using client = await open(place)

  await client.callTool('write_file', { path: 'link.txt', content: 'new' })

  expect(await readFile(place.at('real.txt'), 'utf8')).toBe('new')
})

test('edit_file leaves a file alone that is not UTF-8: letters nobody touched would be lost', async () => {
  const latin = Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x0a)
  await using place = await createPlace({ 'latin.txt': latin })
  await using client = await open(place)

  const edits = [{ oldText: 'ca', newText: 'CA' }]
  const result = await client.callTool('edit_file', { path: 'latin.txt', edits })

  expect(result.isError).toBe(true)
  expect(textOf(result)).toContain('is not valid UTF-8')
  expect(new Uint8Array(await readFile(place.at('latin.txt')))).toEqual(latin)
})

test('totals and order of sizes are those of all entries, also when not all are shown', async () => {
  const files = Array.from({ length: 30 }, (_, index) => [
    `f${100 + index}`,
    'x'.repeat(index * 10),
  ])
  await using place = await createPlace(Object.fromEntries(files) as Record<string, string>)
  await using client = await open(place, { maxResults: 2 })

  const args = { path: '.', sortBy: 'size' }
  const text = textOf(await client.callTool('list_directory_with_sizes', args))

  expect(text.split('\n').map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
    '[FILE] f129 290 B',
    '[FILE] f128 280 B',
    '… and 28 more; search_files finds some of them',
    '',
    'Total: 30 files, 0 directories',
    'Combined size: 4.25 KB',
  ])
})

test('a comma in an excluded name is a letter of it', async () => {
  await using place = await createPlace({ x: '', y: '', 'x,y': '', 'd/x,y': '' })
  await using client = await open(place)

  const args = { path: '.', excludePatterns: ['x,y'] }
  const tree = textOf(await client.callTool('directory_tree', args))

  expect([...tree.matchAll(/"name": "(.*)"/g)].map(([, name]) => name)).toEqual(['d', 'x', 'y'])
})

test('a file with a name as long as the system takes is written more than once', async () => {
  await using place = await createPlace()
  await using client = await open(place)
  const path = `${'漢'.repeat(83)}.txt` // 253 bytes

  for (const content of ['one', 'two']) await client.callTool('write_file', { path, content })

  expect(await readFile(place.at(path), 'utf8')).toBe('two')
})

test('edit_file searches and compares large files elsewhere than in the thread that answers', async () => {
  await using place = await createPlace({ 'a.txt': 'one\ntwo\n' })
  const ran: string[] = []
  const runTask: NonNullable<FilesystemOptions['runTask']> = (name, input, signal) => {
    ran.push(name)
    if (name === 'describe') return Promise.reject(new Error('it took too much memory'))
    return runHere(name, input, signal)
  }
  await using client = await open(place, { runTask })
  const edits = [{ oldText: 'two', newText: 'three' }]

  const result = await client.callTool('edit_file', { path: 'a.txt', edits })

  expect(ran).toEqual(['edit', 'describe'])
  expect(textOf(result)).toContain('has changed too much to show how')
  expect(await readFile(place.at('a.txt'), 'utf8')).toBe('one\nthree\n')
})

test('a change with any number of backticks is fenced', async () => {
  await using place = await createPlace({ 'a.txt': 'start\n' })
  await using client = await open(place, { runTask: runHere })
  const edits = [{ oldText: 'start', newText: '` '.repeat(200_000) }]

  const result = await client.callTool('edit_file', { path: 'a.txt', edits })

  expect(result.isError).toBeUndefined()
  expect(textOf(result)).toMatch(/^```diff\n/)
})
