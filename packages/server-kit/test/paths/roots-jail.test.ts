import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { connect } from '@parley/mcp/client'
import { createServer, defineTool } from '@parley/mcp/server'
import { createRootsJail, type RootsJailOptions } from '@parley/server-kit/paths'
import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'

/** What a client with these roots may use, as paths below a folder; `ro:` in front of what it may only read. */
async function usable(
  folder: string,
  roots: readonly string[],
  options: Pick<RootsJailOptions, 'directories' | 'readOnly' | 'roots'>,
): Promise<readonly string[]> {
  const jail = await createRootsJail(options)
  const server = createServer({ name: 'roots', version: '1' })
  server.add(
    defineTool('usable', {}, async (_, context) => {
      const { directories } = await jail.jailFor(context)
      const paths = directories.map(({ realPath, isReadOnly }) => {
        const path = realPath.slice(folder.length) || '/'
        return isReadOnly ? `ro:${path}` : path
      })
      return JSON.stringify(paths)
    }),
  )
  const given = roots.map((path) => ({ uri: pathToFileURL(join(folder, path)).href }))
  await using client = await connect(server, given.length > 0 ? { roots: given } : {})
  const { content, isError } = await client.callTool('usable')
  const text = content[0]?.type === 'text' ? content[0].text : ''
  return isError ? [text] : (JSON.parse(text) as string[]) // as the tool above writes it
}

test.each([
  ['narrow', ['b/c'], ['ro:/b/c']],
  ['narrow', ['.'], ['/a', 'ro:/b']],
  ['narrow', ['elsewhere'], ['/a', 'ro:/b']],
  ['narrow', ['not-there'], ['/a', 'ro:/b']],
  ['narrow', [], ['/a', 'ro:/b']],
  ['replace', ['elsewhere'], ['/elsewhere']],
  ['replace', ['.'], ['/', 'ro:/b']],
  ['ignore', ['elsewhere'], ['/a', 'ro:/b']],
] as const)('with %s the roots %j leave %j', async (rule, roots, expected) => {
  const folder = realpathSync(folderWith({}))
  for (const path of ['a', 'b/c', 'elsewhere']) mkdirSync(join(folder, path), { recursive: true })
  const directories = [join(folder, 'a'), `ro:${join(folder, 'b')}`]

  const found = await usable(folder, roots, { directories, roots: rule })

  expect(found).toEqual(expected)
})

test('where nothing is to be written, a root is only read', async () => {
  const folder = realpathSync(folderWith({ 'x/file': '' }))
  const options = { directories: [], readOnly: true, roots: 'replace' } as const

  expect(await usable(folder, ['x'], options)).toEqual(['ro:/x'])
})

test('who has neither directories nor roots is told so', async () => {
  const [text] = await usable('', [], { directories: [] })

  expect(text).toMatch(/^No directories are allowed/)
})

test('the roots of the last call serve where nobody can be asked, until the next one brings others [ROOT-21]', async () => {
  const folder = realpathSync(folderWith({ 'a/file': '', 'b/file': '' }))
  const jail = await createRootsJail({ directories: [], roots: 'replace' })
  const server = createServer({ name: 'roots', version: '1' })
  server.add(defineTool('ask', {}, async (_, context) => void (await jail.jailFor(context))))
  let asked = 0
  const roots = () => [{ uri: pathToFileURL(join(folder, ++asked === 1 ? 'a' : 'b')).href }]
  await using client = await connect(server, { roots })
  const known = () => jail.known.directories.map(({ realPath }) => realPath)

  expect(known()).toEqual([])
  await client.callTool('ask')
  expect([known(), known(), asked]).toEqual([[join(folder, 'a')], [join(folder, 'a')], 1])
  await client.callTool('ask')
  expect([known(), asked]).toEqual([[join(folder, 'b')], 2])
})
