import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { execPath } from 'node:process'
import { promisify } from 'node:util'

import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { describe, expect, test } from 'vitest'

import { folderWith } from '../../../test-support/temporary-folder.ts'
import { commandTable } from '../src/commands/table.ts'
import { version } from '../src/version.ts'
import { repositoryFile, run, servers } from './run.ts'

const program = repositoryFile('packages/cli/dist/main.js')

function start(...args: readonly string[]) {
  return spawnSync(execPath, [program, ...args], { encoding: 'utf8', input: '' })
}

test('the version is that of the package', () => {
  const { version: published } = JSON.parse(
    readFileSync(repositoryFile('packages/cli/package.json'), 'utf8'),
  ) as { version: string }

  expect(version).toBe(published)
  expect(start('--version')).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' })
})

test('the program calls a tool and ends', () => {
  const { status, stdout, stderr } = start(
    'call',
    'echo',
    'message=hi',
    '--',
    ...servers.everything,
  )

  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'Echo: hi\n', stderr: '' })
})

test('the program passes its exit code on', () => {
  expect(start('info', '--json', '--', 'no-such-command').status).toBe(4)
})

test('without a command it says what there is', async () => {
  const { code, stdout } = await run([])
  const all = await run(['help', 'all'])

  expect(code).toBe(0)
  const linesOf = (text: string) => text.match(/^ {2}[a-z]+ +\S.*$/gm) ?? []
  const shown = commandTable.filter(({ help }) => help !== 'hidden')
  for (const { name, summary, help } of shown) {
    const line = new RegExp(`^  ${name} +${summary}$`, 'm')
    expect(all.stdout).toMatch(line)
    if (help === 'first') expect(stdout).toMatch(line)
    else expect(stdout).not.toMatch(line)
  }
  expect(shown.filter(({ help }) => help === 'first')).toHaveLength(12)
  expect(linesOf(stdout).length).toBeLessThan(linesOf(all.stdout).length)
})

describe.each(commandTable.map(({ name }) => name))('%s', (name) => {
  test('has help with examples', async () => {
    const { code, stdout } = await run([name, '--help'])
    const other = await run(['help', name])

    expect(code).toBe(0)
    expect(stdout).toContain(`Usage: parley ${name}`)
    expect(stdout).toContain(`parley ${name}`)
    expect(stdout).toContain('Examples:')
    expect(other.stdout).toBe(stdout)
  })

  test('refuses a flag that there is not, as one line of JSON if asked', async () => {
    const { code, stdout, stderr } = await run([name, '--no-such-flag', '--json'])

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'error', exit: 1 } })
  })
})

test('a command that there is not is named, with the one that was meant', async () => {
  const { code, stderr } = await run(['cal'])

  expect(code).toBe(1)
  expect(stderr).toBe('error: unknown command "cal"\nDid you mean `parley call`?\n')
})

describe('who runs it by npx', () => {
  const env = { npm_command: 'exec' }

  test('is told lines that work there', async () => {
    const help = await run(['call', '--help'], { env })
    const overview = await run([], { env })
    const wrong = await run(['cal'], { env })

    expect(help.stdout).toContain('Usage: npx @parley/cli call')
    expect(help.stdout).toContain('npx @parley/cli call calc add a=1')
    expect(`${help.stdout}${overview.stdout}`).not.toMatch(/(?<![@/\w])parley (?:call|list|<)/)
    expect(wrong.stderr).toContain('Did you mean `npx @parley/cli call`?')
  })

  test('others are told the name that was installed, and where it is from', async () => {
    const { stdout } = await run([])

    expect(stdout).toContain('npm install --global @parley/cli')
    expect(stdout).toContain('  parley inspect\n')
  })
})

test('flags may stand before the command', async () => {
  const { code, stderr } = await run([
    '--json',
    '--timeout',
    '100',
    'info',
    'http://127.0.0.1:9/mcp',
  ])

  expect(code).toBe(4)
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'unreachable' } })
})

describe('completion', () => {
  test.each([
    ['bash', ['-n']],
    ['zsh', undefined],
    ['fish', undefined],
  ])('prints a script for %s with every command', async (shell, check) => {
    const { code, stdout } = await run(['completion', shell])

    expect(code).toBe(0)
    for (const { name } of commandTable) expect(stdout).toContain(name)
    expect(stdout).toContain(shell === 'fish' ? '-l json' : '--json')
    if (check !== undefined) {
      expect(spawnSync(shell, check, { input: stdout, encoding: 'utf8' })).toMatchObject({
        status: 0,
        stderr: '',
      })
    }
  })

  test('asks for names of servers, kinds and tools', async () => {
    const definition = createServer({ name: 'x', version: '1' })
    definition.tool('echo', {}, () => '')
    definition.tool('other', {}, () => '')
    await using service = await serveHttp(definition, { port: 0, ownsProcess: false })
    const { href } = service.url
    const home = folderWith({
      '.config/mcp/mcp.json': { mcpServers: { files: { command: 'no-such-program' } } },
    })
    const cwd = folderWith({ 'mcp.json': { mcpServers: { notes: { url: href } } } })
    const words = async (...line: readonly string[]) => {
      const { stdout } = await run(['completion', 'words', '--', ...line], {
        cwd,
        env: { HOME: home },
      })
      return stdout.split('\n').filter((name) => name !== '')
    }

    expect(await words('info', '')).toContain('notes')
    expect(await words('list', 'notes', 'to')).toEqual(['tools'])
    expect(await words('describe', 'x', '--kind', 't')).toEqual(['tool', 'template'])
    expect(await words('call', href, 'e')).toEqual(['echo'])
    expect(await words('call', 'http://127.0.0.1:1/mcp', 'e')).toEqual([])
    // A project's file is anybody's: a key that is pressed reaches nothing it names.
    expect(await words('call', 'notes', 'e')).toEqual([])
  })

  test('the script for bash completes what the server gives', async () => {
    const definition = createServer({ name: 'x', version: '1' })
    definition.tool('echo', {}, () => '')
    await using service = await serveHttp(definition, { port: 0, ownsProcess: false })
    const { stdout: script } = await run(['completion', 'bash'])
    const line = `parley call ${service.url.href} ec`
    const shell = `${script}
parley() { '${execPath}' '${program}' "$@"; }
COMP_LINE='${line}' COMP_POINT=${line.length} COMP_WORDS=(${line}) COMP_CWORD=3
_parley; echo "\${COMPREPLY[@]}"`

    const { stdout } = await promisify(execFile)('bash', ['-c', shell])

    expect(stdout).toBe('echo\n')
  })

  test('refuses another shell', async () => {
    expect(await run(['completion', 'tcsh'])).toMatchObject({ code: 1 })
  })
})
