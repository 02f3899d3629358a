import { symlink } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'

import { describe, expect, test } from 'vitest'

import { triedRevisions } from '../../../test-support/revisions.ts'
import { createPlace, open, textOf } from './support.ts'

const files = { 'one/a.txt': 'a', 'two/b.txt': 'b', 'one/inner/c.txt': 'c' }

describe.each(triedRevisions)('in %s', (protocolVersion) => {
  test('the roots of whoever started us take the place of the directories [ROOT-13]', async () => {
    await using place = await createPlace(files)
    const options = { directories: [place.at('one')], roots: 'replace' } as const
    await using client = await open(place, options, { protocolVersion, roots: [place.at('two')] })

    expect(textOf(await client.callTool('read_text_file', { path: 'b.txt' }))).toBe('b')
    const refused = await client.callTool('read_text_file', { path: place.at('one/a.txt') })
    expect(textOf(refused)).toMatch(/^Access denied/)
    expect(textOf(await client.callTool('list_allowed_directories'))).toBe(
      `Allowed directories:\n${place.at('two')}`,
    )
    await client.setRoots([place.at('one')])
    expect(textOf(await client.callTool('read_text_file', { path: 'a.txt' }))).toBe('a')
  })

  test('the roots of a stranger count only inside of the directories', async () => {
    await using place = await createPlace(files)
    const options = { directories: [place.at('one')] }
    const roots = [place.at('one/inner'), place.at('two'), '/']
    await using client = await open(place, options, { protocolVersion, roots: roots.slice(0, 2) })

    expect(textOf(await client.callTool('list_allowed_directories'))).toBe(
      `Allowed directories:\n${place.at('one/inner')}`,
    )
    for (const path of [place.at('two/b.txt'), place.at('one/a.txt')]) {
      expect(textOf(await client.callTool('read_text_file', { path }))).toMatch(/^Access denied/)
    }
    await client.setRoots(roots.slice(1))
    expect(textOf(await client.callTool('list_allowed_directories'))).toBe(
      `Allowed directories:\n${place.at('one')}`,
    )
  })

  test('no path, link or URI leads out of the roots [ROOT-14] [N07-RSC-03]', async () => {
    await using place = await createPlace(files)
    await symlink(place.at('one/a.txt'), place.at('two/link.txt'))
    const options = {
      directories: [place.at('one')],
      roots: 'replace',
      enable: ['resources'],
    } as const
    await using client = await open(place, options, { protocolVersion, roots: [place.at('two')] })

    for (const path of ['../one/a.txt', 'link.txt', place.at('two/../one/a.txt')]) {
      expect(textOf(await client.callTool('read_text_file', { path }))).toMatch(/^Access denied/)
    }
    const { href } = pathToFileURL(place.at('two'))
    for (const uri of [`${href}/../one/a.txt`, `${href}/%2e%2e/one/a.txt`, `${href}/link.txt`]) {
      await expect(client.readResource(uri)).rejects.toMatchObject({ code: 'resource_not_found' })
    }
  })

  test('resources ask for roots too', async () => {
    await using place = await createPlace(files)
    const options = {
      directories: [place.at('one')],
      roots: 'replace',
      enable: ['resources'],
    } as const
    await using client = await open(place, options, { protocolVersion, roots: [place.at('two')] })
    const read = (path: string) => client.readResource(pathToFileURL(place.at(path)).href)

    expect((await read('two/b.txt')).contents[0]).toMatchObject({ text: 'b' })
    await expect(read('one/a.txt')).rejects.toMatchObject({ code: 'resource_not_found' })
  })

  test('what is written under roots is written once', async () => {
    await using place = await createPlace({ ...files, 'one/log.txt': 'x' })
    await using client = await open(
      place,
      { roots: 'replace' },
      { protocolVersion, roots: [place.at('one')] },
    )

    const edits = [{ oldText: 'x', newText: 'xx' }]
    await client.callTool('edit_file', { path: 'log.txt', edits })

    expect(textOf(await client.callTool('read_text_file', { path: 'log.txt' }))).toBe('xx')
  })
})

test('roots that are not there, or no directories, change nothing', async () => {
  await using place = await createPlace(files)
  const roots = [place.at('none'), place.at('one/a.txt')]
  await using client = await open(place, { roots: 'replace' }, { roots })

  expect(textOf(await client.callTool('list_allowed_directories'))).toContain(place.root)
})

test('without directories and without roots nothing is allowed, and the cure is named', async () => {
  await using place = await createPlace(files)
  await using client = await open(place, { directories: [], roots: 'replace' })

  const result = await client.callTool('read_text_file', { path: place.at('one/a.txt') })

  expect(result.isError).toBe(true)
  expect(textOf(result)).toContain('start the server with some, or use a client that has roots')
})

test('what may only be read stays so when it is a root, or in one', async () => {
  await using place = await createPlace(files)
  const options = { directories: [`ro:${place.at('one')}`], roots: 'replace' } as const
  for (const root of [place.at('one/inner'), place.at('one'), place.root]) {
    await using client = await open(place, options, { roots: [root] })
    const args = { path: place.at('one/inner/c.txt'), content: 'x' }
    expect(textOf(await client.callTool('write_file', args))).toMatch(/^Access denied - read-only/)
  }
})

test('a client that will not say where it works leaves the directories as they are', async () => {
  await using place = await createPlace(files)
  const roots = () => Promise.reject(new Error('no'))
  await using client = await open(
    place,
    { roots: 'replace' },
    { roots, protocolVersion: '2025-11-25', onError: () => undefined },
  )

  expect(textOf(await client.callTool('list_allowed_directories'))).toContain(place.root)
})

test('roots can be left aside', async () => {
  await using place = await createPlace(files)
  await using client = await open(place, { roots: 'ignore' }, { roots: [place.at('two')] })

  expect(textOf(await client.callTool('list_allowed_directories'))).toBe(
    `Allowed directories:\n${place.root}`,
  )
})
