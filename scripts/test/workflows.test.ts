import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'
import { parse } from 'yaml'

import { root } from '../source-files.mjs'

const folder = join(root, '.github/workflows')
const workflows = readdirSync(folder)
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

interface Job {
  readonly steps: readonly { readonly run?: string; readonly uses?: string }[]
  readonly strategy?: { readonly matrix?: { readonly command?: readonly string[] } }
}

function commandsOf(file: string): readonly string[] {
  const jobs: Record<string, Job> = parse(readFileSync(join(folder, file), 'utf8')).jobs
  return Object.values(jobs).flatMap(({ steps, strategy }) => [
    ...steps.flatMap(({ run }) => run ?? []),
    ...(strategy?.matrix?.command ?? []),
  ])
}

test('continuous integration, releases and nightly work have a workflow each', () => {
  expect(workflows.toSorted()).toEqual(['ci.yml', 'nightly.yml', 'release.yml'])
})

test.each(workflows)('%s runs nothing but scripts that exist', (file) => {
  const commands = commandsOf(file)

  expect(commands.length).toBeGreaterThan(0)
  const unknown = commands.filter((command) => !isKnown(command))
  expect(unknown).toEqual([])
})

test('a command that does not exist is noticed', () => {
  expect(isKnown('npm run absent')).toBe(false)
  expect(isKnown('.ci/absent')).toBe(false)
  expect(isKnown('curl example.com')).toBe(false)
})

function isKnown(command: string): boolean {
  const [
    ,
    script = command === 'npm test' || command.startsWith('npm test ') ? 'test' : undefined,
  ] = /^npm run ([\w:]+)(?: |$)/.exec(command) ?? []
  if (script !== undefined) return script in scripts
  if (command.startsWith('.ci/')) return existsSync(join(root, command))
  return command === '${{ matrix.command }}' || command.startsWith('apt-get ')
}
