import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

import { describe, expect, test } from 'vitest'

import { folderBelowRepository } from '../below-repository.ts'
import { startEverything } from '../http-server.ts'
import { run } from '../run.ts'

const execute = promisify(execFile)

/** The commands of the README, and the scripts there are. */
function commandsOf(folder: string): {
  readonly named: readonly string[]
  readonly scripts: object
} {
  const text = readFileSync(join(folder, 'README.md'), 'utf8')
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    scripts: object
  } // what was written
  const named = [...text.matchAll(/`npm (?:run )?(\w+)/g)].map(([, name = '']) => name)
  return { named, scripts }
}

async function begin(kind: string): Promise<string> {
  const cwd = folderBelowRepository()
  await run(['init', '--kind', kind], { cwd })
  return cwd
}

describe('a new server', () => {
  test('passes its test, and breaks no requirement', async () => {
    const cwd = await begin('server')

    const tested = await execute('npm', ['test'], { cwd })
    const checked = await run(['check', '--', execPath, 'dist/main.js'], { cwd })

    expect(tested.stdout).toMatch(/# pass 2\b/)
    expect(tested.stdout).toMatch(/# fail 0\b/)
    expect(checked.stdout).toMatch(/\b0 failed\b/)
  })

  test('has the commands of its README, and listens when asked to', async () => {
    const cwd = await begin('server')
    const { named, scripts } = commandsOf(cwd)
    expect(named).toEqual(['test', 'dev', 'start', 'start', 'check'])
    for (const name of named) expect(scripts).toHaveProperty(name)
    await execute('npm', ['run', 'build'], { cwd })

    const child = spawn('node', ['dist/main.js', '--http', '0'], { cwd, stdio: 'pipe' })
    const [line] = (await once(createInterface(child.stderr), 'line')) as [string] // as documented
    const url = /http:\S+/.exec(line)?.[0] ?? line
    const called = await run(['call', url, 'roll', 'sides:=6', 'count:=2', '--json'])
    child.kill()
    await once(child, 'exit')

    expect(JSON.parse(called.stdout)).toMatchObject({
      structuredContent: { rolled: [expect.any(Number), expect.any(Number)] },
    })
  })
})

describe('a new client', () => {
  test('passes its test, and lists the tools of a server', async () => {
    const cwd = await begin('client')
    const { named, scripts } = commandsOf(cwd)
    for (const name of named) expect(scripts).toHaveProperty(name)
    await using server = await startEverything('streamableHttp')

    const tested = await execute('npm', ['test'], { cwd })
    const started = await execute('npm', ['start', '--', server.url], { cwd })

    expect(named).toEqual(['test', 'start'])
    expect(tested.stdout).toMatch(/# pass 1\b/)
    expect(started.stdout).toContain('echo')
  })
})

describe('a new app', () => {
  test('passes its test, and breaks no requirement', async () => {
    const cwd = await begin('app')

    const tested = await execute('npm', ['test'], { cwd })
    const checked = await run(['check', '--', execPath, 'dist/main.js'], { cwd })

    expect(tested.stdout).toMatch(/# pass 2\b/)
    expect(tested.stdout).toMatch(/# fail 0\b/)
    expect(checked.stdout).toMatch(/\b0 failed\b/)
  })
})
