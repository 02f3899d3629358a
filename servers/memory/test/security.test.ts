import { readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { dataDirectory, memoryFile } from '../src/memory.ts'
import { entity, entityLine, freshFile, openMemory, textsOf } from './support.ts'

describe('an arbitrary file written through the memory path', () => {
  test.each(['.bashrc', 'authorized_keys', 'settings.json', 'crontab', 'run.sh', 'memory'])(
    'is refused when it is to be made with the name %s',
    async (name) => {
      const file = await freshFile(name)

      expect(() => memoryFile(file)).toThrow('does not look like a memory file')
    },
  )

  test.each([
    ['a script', 'start.jsonl', '#!/bin/sh\necho hello\n'],
    ['settings', 'settings.json', '{\n  "hooks": {}\n}\n'],
    ['settings on one line', 'settings.json', '{"hooks":{}}'],
    ['a log', 'events.jsonl', '{"level":"info"}\n'],
  ])('is refused when it is %s already', async (_, name, text) => {
    const file = await freshFile(name)
    await writeFile(file, text)
    await using client = await openMemory({ file: memoryFile(file) })

    const written = await client.callTool('create_entities', { entities: [entity('$(evil)')] })
    const read = await client.callTool('read_graph')

    expect(written.isError).toBe(true)
    expect(textsOf(written)[0]).toContain('left alone')
    expect(read.isError).toBe(true)
    expect(textsOf(read)[0]).not.toContain(text.trim()) // nor read through it
    expect(await readFile(file, 'utf8')).toBe(text)
    expect(await readdir(dirname(file))).toEqual([name])
  })

  test('is refused behind a link', async () => {
    const target = await freshFile('profile')
    await writeFile(target, 'export PATH=/bin\n')
    const file = join(dirname(target), 'memory.jsonl')
    await symlink(target, file)
    await using client = await openMemory({ file: memoryFile(file) })

    const written = await client.callTool('create_entities', { entities: [entity('x')] })

    expect(written.isError).toBe(true)
    expect(await readFile(target, 'utf8')).toBe('export PATH=/bin\n')
  })

  test('cannot be asked for by a caller: no tool takes a path, and names of graphs are none', async () => {
    await using client = await openMemory({ enable: ['graphs', 'export'] })

    for (const graph of ['../evil', '/etc/evil', 'a/b', 'a\0b', '..', 'C:evil', 'x.jsonl', '']) {
      const result = await client.callTool('create_entities', { entities: [entity('x')], graph })
      if (graph !== '') expect(textsOf(result)[0]).toContain('The name of a graph')
    }

    expect(await readdir(dirname(client.file))).toEqual(['memory.jsonl'])
  })

  test('no text of a caller makes a line of its own', async () => {
    await using client = await openMemory()
    const text = 'a\n{"type":"entity","name":"forged","entityType":"x","observations":[]}\r\u2028'

    await client.callTool('create_entities', { entities: [entity(text, text, text)] })

    expect((await readFile(client.file, 'utf8')).split('\n')).toEqual([
      entityLine(text, text, text),
      '',
    ])
  })
})

describe('the memory file', () => {
  test('is in the data directory of the user unless somebody names one', () => {
    expect(memoryFile(undefined)).toBe(join(dataDirectory(), 'memory.jsonl'))
    expect(memoryFile('')).toBe(join(dataDirectory(), 'memory.jsonl'))
    expect(dataDirectory('linux', { XDG_DATA_HOME: '/data' })).toBe('/data/parley/memory')
    expect(dataDirectory('linux', { XDG_DATA_HOME: 'relative' })).toBe(
      join(homedir(), '.local/share/parley/memory'),
    )
  })

  test('is where the operator says', async () => {
    const old = await freshFile('memory.json')
    await writeFile(old, `${entityLine('Ada')}\n`)

    expect(memoryFile('/var/memory/team.jsonl')).toBe('/var/memory/team.jsonl')
    expect(memoryFile('team.jsonl', '/data')).toBe('/data/team.jsonl')
    expect(memoryFile('~/team.jsonl')).toBe(join(homedir(), 'team.jsonl'))
    expect(memoryFile(old)).toBe(old)
  })

  test.each(['../outside.jsonl', 'a/../../outside.jsonl', 'nul\0.jsonl'])(
    'cannot be the relative path %j',
    (path) => {
      expect(() => memoryFile(path, '/data/memory')).toThrow()
    },
  )
})
