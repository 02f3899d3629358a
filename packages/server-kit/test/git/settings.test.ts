import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { createGitRunner, unsafeForTransfer } from '@parley/server-kit/git'
import { describe, expect, test } from 'vitest'

import { classify, pathsAndPrograms, type SettingRow } from './setting-table.ts'
import { freshRepository } from './support.ts'

const runner = createGitRunner({ userSettings: false })
const keysOf = (how: SettingRow['how']) =>
  pathsAndPrograms.filter((row) => row.how === how).map(({ key }) => key.replaceAll('*', 'evil'))

/** A line of settings, also for keys that git would not take from its own command. */
function line(key: string, value: string): string {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')]
  const middle = first === last ? '' : ` "${key.slice(first + 1, last)}"`
  return `[${key.slice(0, first)}${middle}]\n\t${key.slice(last + 1)} = ${value}\n`
}

describe('every setting of git that names a path or a program', () => {
  test('is in the table, or listed as neither', () => {
    const keys = execFileSync('git', ['help', '--config'], { encoding: 'utf8' })
      .split('\n')
      .filter((key) => /^\w+\.\S+$/.test(key))

    expect(keys.length).toBeGreaterThan(500)
    expect(keys.filter((key) => classify(key) === undefined)).toEqual([])
  })

  test('and is overridden has no value of the repository', async () => {
    const { folder } = await freshRepository()
    const keys = keysOf('overridden')
    const planted = keys.map((key) => line(key, '/outside')).join('')
    appendFileSync(join(folder, '.git/config'), planted)

    const opened = await runner.open(folder)
    const { text } = await opened.run(['config', '--list', '-z'])

    const values = new Map(
      text.split('\0').map((entry): [string, string] => {
        const [key = '', value = ''] = entry.split('\n')
        return [key, value]
      }),
    )
    const kept = keys.filter((key) => values.get(key.toLowerCase()) === '/outside')
    expect(kept).toEqual([])
    expect(keys.filter((key) => !values.has(key.toLowerCase()))).toEqual([])
  })

  test.each(keysOf('refused'))('is refused when it leads out: %s', async (key) => {
    const { folder } = await freshRepository()
    const outside = join(dirname(folder), 'outside')
    mkdirSync(outside)
    const value = key.startsWith('extensions') ? `files://${outside}` : outside
    appendFileSync(join(folder, '.git/config'), line(key, value))

    for (const within of [undefined, [folder]]) {
      const opening = runner.open(folder, { within, isNamedByOperator: true })
      await expect(opening).rejects.toMatchObject({
        code: expect.stringMatching(/outside|refused|not_a_repository/) as string,
      })
    }
  })

  test.each(keysOf('transfers'))('forbids transfers: %s', (key) => {
    expect(unsafeForTransfer(['user.name', key.toLowerCase()])).toBe(key.toLowerCase())
  })

  test('and is a list is emptied: blame.ignoreRevsFile tells no line of any file', async () => {
    const { folder, git } = await freshRepository()
    const secret = join(dirname(folder), 'secret')
    writeFileSync(secret, 'the secret line\n')
    git('config', 'blame.ignoreRevsFile', secret)

    const opened = await runner.open(folder)
    const { text } = await opened.run(['blame', '--porcelain', 'a.txt'])

    expect(text).toContain('\tone')
  })
})
