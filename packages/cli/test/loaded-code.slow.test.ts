import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { folderWith } from '../../../test-support/temporary-folder.ts'
import { repositoryFile } from './run.ts'

const program = repositoryFile('packages/cli/dist/main.js')
const server = repositoryFile('packages/cli/test/fixtures/scripted-server.mjs')
const script = JSON.stringify({ 'tools/call': { content: [{ type: 'text', text: 'hi' }] } })

/** The files of the program that a line loads. */
function loadedBy(...words: readonly string[]) {
  const folder = folderWith({ coverage: '' })
  const env = { ...process.env, NODE_V8_COVERAGE: `${folder}/v8` }
  const { status } = spawnSync(execPath, [program, ...words], { env })
  const files = readdirSync(`${folder}/v8`).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(`${folder}/v8/${name}`, 'utf8')) as {
      readonly result: readonly { readonly url: string }[]
    }
    return result.map(({ url }) => url)
  })
  const own = [...new Set(files)].filter((url) => url.includes('/packages/cli/dist/'))
  const bytes = own.reduce((sum, url) => sum + statSync(fileURLToPath(url)).size, 0)
  return { status, files: own.length, bytes }
}

test('a call loads few files and no code that it does not need', () => {
  const { status, files, bytes } = loadedBy('call', 'echo', '--', execPath, server, script)

  expect(status).toBe(0)
  expect(files).toBeLessThanOrEqual(16)
  expect(bytes).toBeLessThanOrEqual(420_000)
})

test('the version loads nothing else', () => {
  const { status, files, bytes } = loadedBy('--version')

  expect(status).toBe(0)
  expect(files).toBeLessThanOrEqual(2)
  expect(bytes).toBeLessThanOrEqual(4_000)
})
