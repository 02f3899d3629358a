import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'

import { toolOutput } from '@parley/mcp/client'
import { describe, expect, test } from 'vitest'

import { extras } from '../src/filesystem.ts'
import { addLinks, createPlace, open, textOf } from './support.ts'

describe('grep_files', () => {
  const files = {
    'a.txt': 'first\nneedle one\nlast\n',
    'b/c.txt': 'Needle two\nneedle three',
    'b/d.md': 'needle four\r\nnone\r\n',
    'b/e.bin': Uint8Array.of(0, ...Buffer.from('needle')),
    'z.txt': 'a.c\nabc\n',
  }

  test('gives the lines, with paths and numbers', async () => {
    await using place = await createPlace(files)
    await addLinks(place).catch(() => undefined)
    await using client = await open(place, { enable: ['grep_files'] })

    const result = await client.callTool('grep_files', { path: '.', pattern: 'needle' })

    expect(result.structuredContent).toEqual({
      matches: [
        { path: place.at('a.txt'), line: 2, text: 'needle one' },
        { path: place.at('b/c.txt'), line: 2, text: 'needle three' },
        { path: place.at('b/d.md'), line: 1, text: 'needle four' },
      ],
    })
    expect(textOf(result)).toContain(`${place.at('b/c.txt')}:2: needle three`)
  })

  test.each([
    [{ pattern: 'a.c' }, ['a.c']],
    [{ pattern: 'a.c', regex: true }, ['a.c', 'abc']],
    [{ pattern: 'NEEDLE T', ignoreCase: true }, ['Needle two', 'needle three']],
    [{ pattern: 'needle', include: '**/*.md' }, ['needle four']],
    [{ pattern: 'needle', excludePatterns: ['b'] }, ['needle one']],
    [{ pattern: '^need\\w+ f', regex: true }, ['needle four']],
    [{ pattern: 'nowhere' }, []],
  ])('looks for %j', async (args, texts) => {
    await using place = await createPlace(files)
    await using client = await open(place, { enable: ['grep_files'] })

    const result = await client.callTool('grep_files', { path: '.', ...args })

    const { matches } = toolOutput(result) as { matches: { text: string }[] } // as its schema says
    expect(matches.map(({ text }) => text)).toEqual(texts)
  })

  test('goes on behind what it gave', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 9 }, (_, at) => [`d${at % 3}/f${at}.txt`, 'x\nhit 1\nhit 2\nhit 3\n']),
    )
    await using place = await createPlace(many)
    await using client = await open(place, { enable: ['grep_files'] })
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const result = await client.callTool('grep_files', {
        path: '.',
        pattern: 'hit',
        limit: 4,
        ...(cursor !== undefined && { cursor }),
      })
      const page = toolOutput(result) as {
        matches: { path: string; line: number }[]
        nextCursor?: string
      } // as its schema says
      expect(page.matches.length).toBeLessThanOrEqual(4)
      seen.push(...page.matches.map(({ path, line }) => `${path}:${line}`))
      cursor = page.nextCursor
    } while (cursor !== undefined)

    expect(seen).toHaveLength(27)
    expect(new Set(seen).size).toBe(27)
  })

  test('says what is wrong with an expression or a cursor', async () => {
    await using place = await createPlace(files)
    await using client = await open(place, { enable: ['grep_files'] })
    const grep = async (args: object) =>
      textOf(await client.callTool('grep_files', { path: '.', pattern: 'x', ...args }))

    expect(await grep({ pattern: '(', regex: true })).toContain('plain text instead')
    expect(await grep({ cursor: 'made up' })).toContain('not from this tool')
  })
})

test('find_files gives all there is, page by page', async () => {
  const names = ['a/1', 'a/2', 'a-b/3', 'a/c/4', 'b', 'c/5']
  await using place = await createPlace(Object.fromEntries(names.map((name) => [name, ''])))
  await using client = await open(place, { enable: ['find_files'] })
  const whole = textOf(await client.callTool('search_files', { path: '.', pattern: '**' }))

  for (const limit of [1, 2, 3, 100]) {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const args = { path: '.', pattern: '**', limit, ...(cursor !== undefined && { cursor }) }
      const result = await client.callTool('find_files', args)
      const page = toolOutput(result) as { paths: string[]; nextCursor?: string } // as its schema says
      seen.push(...page.paths)
      cursor = page.nextCursor
    } while (cursor !== undefined)
    expect(seen).toEqual(whole.split('\n'))
  }
})

describe('read_lines', () => {
  const text = Array.from({ length: 100_000 }, (_, at) => `line ${at + 1}`).join('\n')

  test('gives lines by number, of files of any size', async () => {
    await using place = await createPlace({ 'large.txt': text })
    await using client = await open(place, { enable: ['read_lines'], maxReadBytes: 1_000 })

    const result = await client.callTool('read_lines', {
      path: 'large.txt',
      start: 99_999,
      count: 9,
    })

    expect(result.structuredContent).toEqual({
      content: ' 99999\tline 99999\n100000\tline 100000',
      start: 99_999,
      end: 100_000,
      hasMore: false,
    })
    const beyond = await client.callTool('read_lines', { path: 'large.txt', start: 100_001 })
    expect(textOf(beyond)).toBe('large.txt has only 100000 lines. Start at an earlier one.')
  })

  test('reads other encodings, and cuts what is no line', async () => {
    await using place = await createPlace({
      'utf16.txt': Buffer.from('ä\nö', 'utf16le'),
      'latin.txt': Uint8Array.of(0xe4, 0x0a, 0xf6),
      'endless.txt': 'x'.repeat(1_000_000),
    })
    await using client = await open(place, { enable: ['read_lines'] })
    const lines = async (path: string, encoding: string) => {
      const args = { path, encoding, numbers: false }
      return textOf(await client.callTool('read_lines', args))
    }

    expect(await lines('utf16.txt', 'utf-16le')).toBe('ä\nö')
    expect(await lines('latin.txt', 'latin1')).toBe('ä\nö')
    expect(await lines('utf16.txt', 'utf-8')).toContain('Give its encoding')
    expect(await lines('endless.txt', 'utf-8')).toBe(
      `${'x'.repeat(65_536)}… [the line is longer than 65536 characters; read_bytes gives the rest]`,
    )
  })
})

test('read_bytes gives any part of a file', async () => {
  await using place = await createPlace({ 'bytes.bin': Uint8Array.of(0, 1, 2, 255) })
  await using client = await open(place, { enable: ['read_bytes'] })

  const args = { path: 'bytes.bin', offset: 2, length: 10, encoding: 'hex' }

  expect((await client.callTool('read_bytes', args)).structuredContent).toEqual({
    data: '02ff',
    offset: 2,
    length: 2,
    size: 4,
  })
})

test('copy_file copies with permissions, and onto nothing', async () => {
  await using place = await createPlace({ 'a.txt': 'x'.repeat(200_000) })
  await using client = await open(place, { enable: ['copy_file'] })
  const args = { source: 'a.txt', destination: 'b.txt' }

  const [first, second] = [
    await client.callTool('copy_file', args),
    await client.callTool('copy_file', args),
  ]

  expect(textOf(first)).toBe('Successfully copied a.txt to b.txt')
  expect(textOf(second)).toMatch(/^EEXIST/)
  expect(await readFile(place.at('b.txt'), 'utf8')).toBe('x'.repeat(200_000))
  expect((await stat(place.at('b.txt'))).mode).toBe((await stat(place.at('a.txt'))).mode)
})

describe('delete_file', () => {
  test('moves what has a long name to the trash, with the time on the clock', async () => {
    const name = `${'漢'.repeat(82)}.txt` // 250 bytes
    await using place = await createPlace({ [name]: 'kept' })
    const trash = `${place.outside}/trash`
    await using client = await open(place, { enable: ['delete_file'], trash })

    const before = new Date()
    const result = await client.callTool('delete_file', { path: name })

    expect(textOf(result)).toMatch(/^Moved/)
    const [info] = await readdir(`${trash}/info`)
    const text = await readFile(`${trash}/info/${info}`, 'utf8')
    expect(text).toContain(`Path=${encodeURI(place.at(name))}\n`)
    // Without a zone, so it is read as local time.
    const deleted = new Date(/DeletionDate=(\S+)/.exec(text)?.[1] ?? '')
    expect(deleted.getTime()).toBeGreaterThanOrEqual(Math.floor(before.getTime() / 1_000) * 1_000)
    expect(deleted.getTime()).toBeLessThanOrEqual(Date.now())
  })

  test('moves to the trash, from where things can be brought back', async () => {
    await using place = await createPlace({ 'a.txt': 'kept', 'sub/b.txt': '' })
    const trash = `${place.outside}/trash`
    await using client = await open(place, { enable: ['delete_file'], trash })

    const file = await client.callTool('delete_file', { path: 'a.txt' })
    const refused = await client.callTool('delete_file', { path: 'sub' })
    const folder = await client.callTool('delete_file', { path: 'sub', recursive: true })

    expect(textOf(file)).toMatch(/^Moved a\.txt to /)
    expect(textOf(refused)).toContain('Use recursive: true')
    expect(folder.isError ?? false).toBe(false)
    expect(await readdir(place.root)).toEqual([])
    const [info] = await readdir(`${trash}/info`)
    expect(await readFile(`${trash}/info/${info}`, 'utf8')).toContain(`Path=${place.at('a.txt')}`)
    const [name = ''] = (await readdir(`${trash}/files`)).filter((one) => one.startsWith('a.txt'))
    expect(await readFile(`${trash}/files/${name}`, 'utf8')).toBe('kept')
  })

  test('deletes for good only when told to, and never through a link', async () => {
    await using place = await createPlace({ 'a.txt': 'x', 'sub/b.txt': '' })
    await addLinks(place)
    await using client = await open(place, { enable: ['delete_file'] })
    const remove = async (path: string, more = {}) =>
      textOf(await client.callTool('delete_file', { path, permanent: true, ...more }))

    expect(await remove('a.txt')).toBe('Deleted a.txt')
    expect(await remove('sub')).toMatch(/^ENOTEMPTY/)
    expect(await remove('sub', { recursive: true })).toBe('Deleted sub')
    expect(await remove('dir-out', { recursive: true })).toBe('Deleted dir-out')
    expect(await remove('.', { recursive: true })).toMatch(/^Access denied/)
    expect(await remove('../root_evil/secret.txt')).toMatch(/^Access denied/)
    expect(await readFile(`${place.outside}/secret.txt`, 'utf8')).toBe('secret')
  })
})

describe('resources', () => {
  test('are read as text or bytes, listed at the top, and completed', async () => {
    await using place = await createPlace({
      'a b.txt': 'text',
      'picture.png': Uint8Array.of(1),
      'bytes.bin': Uint8Array.of(0),
      'sub/ä.txt': 'deep',
    })
    await using client = await open(place, { enable: ['resources'] })
    const read = async (path: string) =>
      (await client.readResource(pathToFileURL(place.at(path)).href)).contents[0]

    expect(await read('a b.txt')).toMatchObject({ mimeType: 'text/plain', text: 'text' })
    expect(await read('sub/ä.txt')).toMatchObject({ text: 'deep' })
    expect(await read('picture.png')).toMatchObject({ mimeType: 'image/png', blob: 'AQ==' })
    expect(await read('bytes.bin')).toMatchObject({
      mimeType: 'application/octet-stream',
      blob: 'AA==',
    })
    for (const absent of ['none.txt', 'sub']) {
      await expect(read(absent)).rejects.toMatchObject({ code: 'resource_not_found' })
    }
    await expect(client.readResource('file:///etc/passwd')).rejects.toMatchObject({
      code: 'resource_not_found',
    })
    const listed = await client.listResources().toArray()
    expect(listed.map(({ name }) => name)).toEqual(['a b.txt', 'bytes.bin', 'picture.png'])
    const complete = async (value: string) =>
      (
        await client.complete(
          { type: 'ref/resource', uri: 'file://{+path}' },
          { name: 'path', value },
        )
      ).values
    expect(await complete('/')).toEqual([`${place.root}/`])
    expect(await complete(place.at('s'))).toEqual([place.at('sub/')])
    expect(await complete(`${place.root}/sub/`)).toEqual([place.at('sub/%C3%A4.txt')])
    expect(await complete(`${place.root}/sub/ä`)).toEqual([place.at('sub/%C3%A4.txt')])
    expect(await complete(`${place.root}/sub/%C3%A4`)).toEqual([place.at('sub/%C3%A4.txt')])
    expect(await complete('/etc/pass')).toEqual([])

    // A directory inside another one does not hide what is beside it.
    const directories = [place.root, `ro:${place.at('sub')}`]
    await using nested = await open(place, { directories, enable: ['resources'] })
    const { values } = await nested.complete(
      { type: 'ref/resource', uri: 'file://{+path}' },
      { name: 'path', value: `${place.root}/` },
    )
    expect(values.toSorted()).toEqual(
      ['a%20b.txt', 'bytes.bin', 'picture.png', 'sub/'].map((name) => place.at(name)),
    )
  })

  test.each(['2025-11-25', '2026-07-28'] as const)(
    'tell of changes in %s',
    async (protocolVersion) => {
      const name = 'ä 100%.txt' // not as it stands in a URI
      await using place = await createPlace({ [name]: 'one', 'b.txt': '' })
      await using client = await open(place, { enable: ['resources'] }, { protocolVersion })
      const uri = pathToFileURL(place.at(name)).href
      await using changes = await client.listen({ resourceSubscriptions: [uri] })

      // The system may take a moment until it watches; a change is repeated until it was noticed.
      const writing = setInterval(() => void writeFile(place.at(name), 'two'), 50)
      try {
        for await (const change of changes) {
          expect(change).toEqual({ type: 'resource', uri })
          break
        }
      } finally {
        clearInterval(writing)
      }
    },
  )
})

test('everything together holds in a directory for reading only', async () => {
  await using place = await createPlace({ 'a.txt': 'needle' })
  await mkdir(place.at('sub'))
  await using client = await open(place, { enable: extras, readOnly: true })

  for (const [tool, args] of [
    ['copy_file', { source: 'a.txt', destination: 'b.txt' }],
    ['delete_file', { path: 'a.txt' }],
    ['delete_file', { path: 'a.txt', permanent: true }],
  ] as const) {
    expect(textOf(await client.callTool(tool, args))).toMatch(/^Access denied - read-only/)
  }
  expect(textOf(await client.callTool('grep_files', { path: '.', pattern: 'needle' }))).toContain(
    'a.txt:1',
  )
})

test('grep_files finds what is far behind in a long line, and looks into one file', async () => {
  const long = `${'x'.repeat(200_000)}needle`
  await using place = await createPlace({
    'one-line.js': `${long}\nnext needle\n`,
    'b.txt': 'needle',
  })
  await using client = await open(place, { enable: ['grep_files'] })

  const args = { path: 'one-line.js', pattern: 'needle' }
  const result = await client.callTool('grep_files', args)

  expect(result.structuredContent).toEqual({
    matches: [
      { path: place.at('one-line.js'), line: 1, text: `${'x'.repeat(1_000)}…` },
      { path: place.at('one-line.js'), line: 2, text: 'next needle' },
    ],
  })
})

test('resources are listed although one of the directories is gone', async () => {
  await using place = await createPlace({ 'one/a.txt': 'a', 'two/b.txt': 'b' })
  const directories = [place.at('one'), place.at('two')]
  await using client = await open(place, { directories, enable: ['resources'] })
  await rm(place.at('one'), { recursive: true })

  const listed = await client.listResources().toArray()

  expect(listed.map(({ name }) => name)).toEqual(['b.txt'])
})

test('resources are not listed from directories that the roots of the client will replace', async () => {
  await using place = await createPlace({ 'one/a.txt': 'a', 'two/b.txt': 'b' })
  const options = {
    directories: [place.at('one')],
    roots: 'replace',
    enable: ['resources'],
  } as const
  await using client = await open(place, options, { roots: [place.at('two')] })
  const names = async () => (await client.listResources().toArray()).map(({ name }) => name)

  expect(await names()).toEqual([])
  await client.callTool('list_allowed_directories')
  expect(await names()).toEqual(['b.txt'])
})
