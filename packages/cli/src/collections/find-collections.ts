import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'

import { readCollection, type Collection } from '@parley/inspector'

import { CliError, describeFailure } from '../exit.ts'

/** A collection and where it is from. */
export interface FoundCollection {
  readonly file: string
  readonly collection: Collection
}

const ending = '.collection.json'

/** The collections in these files, and in all files of that name below these folders. */
export async function findCollections(
  words: readonly string[],
  cwd: string,
): Promise<readonly FoundCollection[]> {
  const files = await Promise.all(words.map((word) => filesOf(resolve(cwd, word), word)))
  const all = [...new Set(files.flat())]
  return Promise.all(
    all.map(async (path) => {
      const file = relative(cwd, path)
      return { file, collection: parse(await readFile(path, 'utf8'), file) }
    }),
  )
}

async function filesOf(path: string, word: string): Promise<readonly string[]> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) {
    throw new CliError('error', `file or folder not found: ${word}`, {
      hint: 'Export a collection in the inspector (parley inspect), and name its file.',
    })
  }
  if (!found.isDirectory()) return [path]
  const names = await readdir(path, { recursive: true })
  const files = names
    .filter((name) => name.endsWith(ending) && !/(?:^|[\\/])node_modules[\\/]/.test(name))
    .toSorted()
  if (files.length > 0) return files.map((name) => join(path, name))
  throw new CliError('error', `${word} holds no ${ending} file`)
}

function parse(text: string, file: string): Collection {
  try {
    return readCollection(text)
  } catch (error) {
    throw new CliError('invalid', `${file}: ${describeFailure(error).message}`, {
      hint: 'Collections are written by Export in the inspector.',
      cause: error,
    })
  }
}
