import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { execPath } from 'node:process'

import { argumentWords, parleyCommandLine } from '@parley/foundation/command-line'
import { describe, expect, test } from 'vitest'

import { folderWith } from '../../../test-support/temporary-folder.ts'
import { repositoryFile, run } from './run.ts'

const serverCommand = [execPath, repositoryFile('packages/cli/test/fixtures/flag-names-server.mjs')]

/** What a shell gives to the command of a line that was copied. */
function wordsOf(line: string | undefined): readonly string[] {
  const script = `npx() { printf '%s\\0' "$@"; }; ${line}`
  const words = execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0')
  return words.slice(1, -1) // without the name of the package
}

describe('a line made of names that look like something else', () => {
  const args = { '--trace=x.jsonl': 'x', 'a@/etc/passwd': 1, __proto__x: '1', 'it\'s "$HOME"': '2' }

  test.each(['--trace=stolen.jsonl', '-o', '--json', '-', '$(touch stolen)', '@/etc/passwd'])(
    'calls %s and does nothing else',
    async (name) => {
      const cwd = folderWith({})
      const words = [name, ...argumentWords(args)]
      const line = parleyCommandLine({ command: 'call', words, serverCommand })

      const { code, stdout, stderr } = await run(wordsOf(line), { cwd })

      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(JSON.parse(stdout)).toEqual({ name, arguments: args })
      expect(readdirSync(cwd)).toEqual([])
    },
  )

  test('gets a prompt', async () => {
    const words = ['--json', ...argumentWords({ '-o': 'x', n: '1' })]
    const line = parleyCommandLine({ command: 'prompt', words, serverCommand })

    const { code, stdout } = await run(wordsOf(line))

    expect(code).toBe(0)
    expect(stdout).toContain('{"name":"--json","arguments":{"-o":"x","n":"1"}}')
  })
})

test('flags stand before --, with their values', async () => {
  const flags = ['--timeout', '5000', '--json']

  const { stdout } = await run(['call', ...flags, '--', '--json', '--', ...serverCommand])

  expect(JSON.parse(stdout)).toHaveProperty('content')
})

test('a name of a configuration is a word of one line too', async () => {
  const cwd = folderWith({
    'mcp.json': '{"mcpServers":{"a":{"url":"https://x.example/${secret:key; id}"}}}',
  })

  const { stderr } = await run(['list', 'a', '--config', 'mcp.json'], { cwd })

  expect(stderr).toContain("npx @parley/cli config inputs set --secret 'key; id'")
})
