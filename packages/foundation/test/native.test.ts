import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { fetchNative, findNative, hasSqlite, openSqlite } from '@parley/foundation/native'
import { describe, expect, test } from 'vitest'

import { folderWith } from '../../../test-support/temporary-folder.ts'

describe('a database', () => {
  test('gives rows, keeps transactions and refuses values that it has no column for', () => {
    const file = openSqlite(':memory:')
    file.exec('create table notes (id integer primary key, text)')
    const insert = file.prepare('insert into notes (text) values (?)')

    file.exec('begin')
    insert.run(['tea'])
    expect(file.inTransaction).toBe(true)
    file.exec('commit')

    expect(file.inTransaction).toBe(false)
    expect(insert.reader).toBe(false)
    const select = file.prepare('select text from notes')
    expect(select.reader).toBe(true)
    expect(select.all([])).toEqual([{ text: 'tea' }])
    expect([...select.iterate([])]).toEqual([{ text: 'tea' }])
    expect(() => insert.run([true as unknown as string])).toThrow('a boolean cannot be stored')
    file.close()
  })

  test('has full text search', () => {
    const file = openSqlite(':memory:')
    file.exec("create virtual table words using fts5 (text, content = '', contentless_delete = 1)")
    file.prepare('insert into words (rowid, text) values (1, ?)').run(['black tea'])

    expect(file.prepare("select rowid from words where words match 'tea'").all([])).toEqual([
      { rowid: 1 },
    ])
    file.close()
  })

  test('there is a library for it', () => {
    expect(hasSqlite()).toBe(true)
  })
})

test.skipIf(process.platform === 'win32')(
  'what is missing is fetched by npm into a folder for its version, and no script of it is run',
  async () => {
    const folder = folderWith({ 'bin/npm': '' })
    const log = join(folder, 'npm.log')
    await writeFile(
      join(folder, 'bin/npm'),
      `#!/bin/sh\necho "$PWD $@" > ${log}\nmkdir -p node_modules/libsql\necho 'module.exports = 1' > node_modules/libsql/index.js\n`,
    )
    await chmod(join(folder, 'bin/npm'), 0o755)
    await mkdir(join(folder, 'state'))
    const env = { PATH: `${folder}/bin:/bin:/usr/bin`, PARLEY_STATE: join(folder, 'state') }

    await fetchNative('libsql', { env })

    expect(await readFile(log, 'utf8')).toBe(
      `${folder}/state/packages/libsql-0.5.29 install --ignore-scripts --no-audit --no-fund --save-exact libsql@0.5.29\n`,
    )
    expect(existsSync(join(folder, 'state/packages/libsql-0.5.29/node_modules/libsql'))).toBe(true)
    expect(findNative('libsql', env)).toBeDefined()
  },
)
