import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { startEverything, type HttpServer } from './http-server.ts'
import { repositoryFile, run, servers } from './run.ts'

const guide = readFileSync(repositoryFile('docs/debugging.md'), 'utf8')
const commands = [
  ...new Set(Array.from(guide.matchAll(/`parley ([^`]+)`/g), ([, words = '']) => words)),
]

let http: HttpServer
let cwd = ''
beforeAll(async () => {
  http = await startEverything('streamableHttp')
  cwd = mkdtempSync(join(tmpdir(), 'parley-guide-'))
  await run(['call', http.url, 'echo', 'message=hi', '--trace', 't.jsonl'], { cwd })
  copyFileSync(join(cwd, 't.jsonl'), join(cwd, 'before.jsonl'))
  await run(['types', http.url], { cwd })
})
afterAll(async () => {
  await http[Symbol.asyncDispose]()
  rmSync(cwd, { recursive: true, force: true })
})

/** With a server that is there; what runs until it is stopped says how it is used instead. */
function wordsOf(command: string): readonly string[] {
  const words = command
    .split(' ')
    .map((word) => (word === 'https://example.com/mcp' ? http.url : word))
    .join('\0')
    .replace('node\0server.js', servers.everything.join('\0'))
    .split('\0')
  return /^(?:inspect|dev)$/.test(words[0] ?? '') ? [...words, '--help'] : words
}

describe('the debugging guide', () => {
  test('has commands', () => {
    expect(commands.length).toBeGreaterThan(20)
  })

  test.each(commands)(
    'parley %s runs',
    async (command) => {
      const { code, stderr } = await run(wordsOf(command), { cwd, env: { PARLEY_STATE: cwd } })

      expect({ code, stderr }).toMatchObject({ code: 0 })
    },
    60_000,
  )
})
