import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What no path may ever lead to. */
export const secret = 'SECRET'

/** A place with an allowed directory, its neighbours, and links of every kind. */
export interface Place extends AsyncDisposable {
  readonly allowed: string
  readonly outside: string
  /** Everything outside of the allowed directory, with its contents. */
  outsideNow(): Promise<Record<string, string>>
}

export async function createPlace(): Promise<Place> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'parley-jail-')))
  const allowed = join(base, 'allowed')
  const outside = join(base, 'outside')
  await mkdir(join(allowed, 'folder/deep'), { recursive: true })
  await mkdir(outside)
  await mkdir(`${allowed}_evil`)
  await writeFile(join(outside, 'secret.txt'), secret)
  await writeFile(join(`${allowed}_evil`, 'secret.txt'), secret)
  await writeFile(join(base, 'secret.txt'), secret)
  await writeFile(join(allowed, 'file.txt'), 'open')
  await writeFile(join(allowed, 'folder/inner.txt'), 'inner')
  const links: Record<string, string> = {
    'to-file': join(allowed, 'file.txt'),
    'to-folder': 'folder',
    'out-file': join(outside, 'secret.txt'),
    'out-folder': outside,
    'out-relative': '../outside',
    'out-evil': `${allowed}_evil`,
    'chain-1': 'chain-2',
    'chain-2': 'chain-3',
    'chain-3': join(outside, 'secret.txt'),
    'chain-in': 'to-file',
    loop: 'loop',
    dangling: join(outside, 'not-there.txt'),
    'dangling-inside': 'not-there.txt',
    root: '/',
    parent: '..',
    'folder/up': '../..',
  }
  for (const [name, target] of Object.entries(links)) await symlink(target, join(allowed, name))
  return {
    allowed,
    outside,
    async outsideNow() {
      const found: Record<string, string> = {}
      for (const folder of [base, outside, `${allowed}_evil`]) {
        for (const entry of await readdir(folder, { withFileTypes: true })) {
          const path = join(folder, entry.name)
          found[path] = entry.isFile() ? await readFile(path, 'utf8') : 'folder'
        }
      }
      return found
    },
    [Symbol.asyncDispose]: () => rm(base, { recursive: true, force: true }),
  }
}

/** What a jail gives for a path: its text, or the name of why not. */
export async function attempt<T>(work: Promise<T>): Promise<T | string> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return 'reason' in error
      ? `denied: ${String(error.reason)}`
      : (error.message.split(':', 1)[0] ?? '')
  }
}
