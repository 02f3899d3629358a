import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { execPath } from 'node:process'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { repositoryFile, run, servers } from '../run.ts'

test.each([
  ['ours', servers.everything],
  ['the official one', servers.officialEverything],
])('over a pipe, %s is read in the same way', async (_, server) => {
  const list = await run(['list', 'templates', '--json', '--', ...server])
  const info = await run(['info', '--json', '--era', '2025-06-18', '--', ...server])
  const prompt = await run(['prompt', 'args-prompt', 'city=Rome', '--', ...server])
  const sum = await run(['call', 'get-sum', 'a=1', 'b=2', '--', ...server])

  expect(list.stdout).toContain('demo://resource/dynamic/text/{resourceId}')
  expect(JSON.parse(info.stdout)).toMatchObject({ revision: '2025-06-18', transport: 'stdio' })
  expect(prompt.stdout).toBe("user:\nWhat's weather in Rome?\n")
  expect(sum.stdout).toBe('The sum of 1 and 2 is 3.\n')
})

test('the official file server lists and reads a folder it was given', async () => {
  const folder = realpathSync(folderWith({ 'note.txt': 'hello' }))
  const server = [...servers.officialFilesystem, folder]

  const listed = await run(['call', 'list_directory', `path=${folder}`, '--', ...server])
  const read = await run([
    'call',
    'read_text_file',
    `path=${folder}/note.txt`,
    '--json',
    '--',
    ...server,
  ])
  const outside = await run(['call', 'read_text_file', 'path=/etc/passwd', '--', ...server])

  expect(listed).toMatchObject({ code: 0, stdout: '[FILE] note.txt\n' })
  expect(JSON.parse(read.stdout)).toMatchObject({ content: [{ type: 'text', text: 'hello' }] })
  expect(outside).toMatchObject({ code: 5 })
  expect(outside.stdout).toContain('Access denied')
})

test('--era, --root, -e and --cwd reach the server', async () => {
  const folder = folderWith({})
  const flags = ['-e', 'SEEN=yes', '--cwd', folder, '--root', folder]

  const env = await run(['call', 'get-env', ...flags, '--', ...servers.everything])
  const roots = await run([
    'call',
    'get-roots-list',
    '--era',
    'legacy',
    ...flags,
    '--',
    ...servers.everything,
  ])

  expect(env.stdout).toContain('"SEEN": "yes"')
  expect(roots.stdout).toContain(folder)
})

test('whoever reads slowly gets everything', async () => {
  const program = repositoryFile('packages/cli/dist/main.js')
  const words = ['call', 'get-large-output', 'bytes=4000000', '--json']
  const child = spawn(execPath, [program, ...words, '--', ...servers.everything, '--extras'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })

  await once(child.stdout, 'readable')
  await setTimeout(2_000) // longer than the program waits for anything else
  const read = await text(child.stdout)

  expect(read.length).toBeGreaterThan(4_000_000)
  expect(JSON.parse(read)).toMatchObject({ content: [{ type: 'text' }] })
})
