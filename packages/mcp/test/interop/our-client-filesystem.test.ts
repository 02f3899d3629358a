import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type Client, connect, type ConnectOptions } from '@parley/mcp/client'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'

import { legacyRevisions } from '../../src/wire/revisions.ts'
import { officialFilesystem } from './programs.ts'

let folder: string

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-interop-')))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

describe.each(['auto', ...legacyRevisions] as const)(
  'our client on the official filesystem server, by era %s',
  (protocolVersion) => {
    const reported: unknown[] = []
    let home: string
    let client: Client

    async function open(options: ConnectOptions = {}): Promise<Client> {
      return connect(officialFilesystem(home), {
        protocolVersion,
        onError: (error) => reported.push(error),
        ...options,
      })
    }

    async function call(name: string, args: object = {}): Promise<string> {
      const { content, isError } = await client.callTool(name, args)
      const [block] = content
      expect(isError ?? false).toBe(false)
      return block?.type === 'text' ? block.text : ''
    }

    beforeAll(async () => {
      home = join(folder, `home-${protocolVersion}`)
      await mkdir(home)
      client = await open()
    })
    afterEach(() => {
      expect(reported).toEqual([])
    })
    afterAll(async () => {
      await client.close()
    })

    test('lists its tools', async () => {
      const tools = await client.listTools().toArray()

      expect(tools).toHaveLength(14)
      expect(await call('list_allowed_directories')).toContain(home)
    })

    test('writes, reads and edits a file', async () => {
      const path = join(home, 'notes.txt')

      await call('write_file', { path, content: 'one\ntwo\nthree ✓\n' })
      expect(await readFile(path, 'utf8')).toBe('one\ntwo\nthree ✓\n')
      expect(await call('read_text_file', { path, head: 2 })).toBe('one\ntwo')

      const diff = await call('edit_file', { path, edits: [{ oldText: 'two', newText: 'zwei' }] })
      expect(diff).toContain('+zwei')
      expect(await call('get_file_info', { path })).toContain('isFile: true')
    })

    test('walks through folders', async () => {
      await call('create_directory', { path: join(home, 'a/b') })
      await call('write_file', { path: join(home, 'a/b/deep.md'), content: '# deep' })
      await call('move_file', {
        source: join(home, 'a/b/deep.md'),
        destination: join(home, 'a/deep.md'),
      })

      expect(await call('list_directory', { path: join(home, 'a') })).toContain('[FILE] deep.md')
      expect(await call('list_directory_with_sizes', { path: join(home, 'a') })).toContain('Total:')
      expect(JSON.parse(await call('directory_tree', { path: join(home, 'a') }))).toEqual([
        { name: 'b', type: 'directory', children: [] },
        { name: 'deep.md', type: 'file' },
      ])
      expect(await call('search_files', { path: home, pattern: '**/*.md' })).toContain('deep.md')
      expect(await call('read_multiple_files', { paths: [join(home, 'a/deep.md')] })).toContain(
        '# deep',
      )
    })

    test('reads a picture', async () => {
      const path = join(home, 'dot.png')
      await writeFile(path, Buffer.from('89504e470d0a1a0a', 'hex'))

      const { content, issues } = await client.callTool('read_media_file', { path })

      expect(content).toMatchObject([{ type: 'image', mimeType: 'image/png' }])
      expect(issues).toBeUndefined()
    })

    test('is told what it may not do', async () => {
      const { isError, content } = await client.callTool('read_text_file', { path: '/etc/passwd' })

      expect(isError).toBe(true)
      expect(JSON.stringify(content)).toContain('Access denied')
    })

    test('carries a large file both ways', async () => {
      const path = join(home, 'large.txt')
      const text = 'äöü 0123456789\n'.repeat(100_000)

      await call('write_file', { path, content: text })

      expect(await call('read_text_file', { path })).toBe(text)
    })

    test('answers many calls at once', async () => {
      const path = join(home, 'notes.txt')

      const answers = await Promise.all(
        Array.from({ length: 50 }, () => call('get_file_info', { path })),
      )

      expect(new Set(answers).size).toBe(1)
    })

    test('moves the server to its roots, and to others later', async () => {
      const [first, second] = [join(home, 'first'), join(home, 'second')]
      await mkdir(first)
      await mkdir(second)
      await using rooted = await open({ roots: [first] })
      const allowed = async () =>
        JSON.stringify((await rooted.callTool('list_allowed_directories')).content)

      await vi.waitFor(async () => expect(await allowed()).toContain(first))
      await rooted.setRoots([second])
      await vi.waitFor(async () => expect(await allowed()).toContain(second))
    })
  },
)
