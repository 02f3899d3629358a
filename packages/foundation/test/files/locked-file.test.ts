import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

import { changeLockedFile, readPrivateFile, readPrivateFileSync } from '@parley/foundation/files'
import { expect, onTestFinished, test } from 'vitest'

import { testOnPosix } from '../../../../test-support/on-posix.ts'

function temporaryPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-files-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'state.json')
}

test('changes of several writers are all kept, in a file for its owner alone', async () => {
  const path = temporaryPath()
  const folder = join(path, '..')
  const other = `${folder}/../${basename(folder)}/state.json` // takes the lock for itself, as another process would

  const changes = [path, other, path, other, path, other, path, other]
  await Promise.all(changes.map((one) => changeLockedFile(one, (text = '') => `${text}x`)))

  expect(readFileSync(path, 'utf8')).toBe('xxxxxxxx')
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('writes nothing when there is nothing to change, and nothing after a failure', async () => {
  const path = temporaryPath()

  await changeLockedFile(path, () => undefined)
  const failing = changeLockedFile(path, () => {
    throw new Error('broken')
  })

  await expect(failing).rejects.toThrow('broken')
  expect(await readPrivateFile(path)).toBeUndefined()
  await changeLockedFile(path, () => 'fine')
  expect(await readPrivateFile(path)).toBe('fine')
})

test('refuses a link, and a file that others can change', async () => {
  const path = temporaryPath()
  const link = `${path}.link`
  writeFileSync(path, 'text', { mode: 0o600 })
  symlinkSync(path, link)

  await expect(readPrivateFile(link)).rejects.toThrow('is a symbolic link')
  chmodSync(path, 0o666)
  await expect(readPrivateFile(path)).rejects.toThrow('chmod 600')
})

testOnPosix('a pipe in the place of a private file is refused, not waited for', async () => {
  const path = temporaryPath()
  execFileSync('mkfifo', ['-m', '600', path])

  await expect(readPrivateFile(path)).rejects.toThrow('is not a file')
  expect(() => readPrivateFileSync(path)).toThrow('is not a file')
})
