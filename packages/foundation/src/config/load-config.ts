import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, resolve } from 'node:path'
import process from 'node:process'

import type { ConfigEntry, ConfigProblem } from './entries/config-entry.ts'
import { formatOfPath } from './files/config-format.ts'
import { configLocations, type ConfigLocation } from './files/locations.ts'
import { readConfig } from './read-config.ts'

/** Where to look for configuration. */
export interface LoadConfigOptions {
  /** Only these; each must exist. @defaultValue every place a known product uses, as far as it exists */
  readonly files?: readonly string[] | undefined
  /** The project. @defaultValue process.cwd() */
  readonly cwd?: string | undefined
  /** The user's home folder. @defaultValue that of the current user */
  readonly home?: string | undefined
  /** Environment variables. @defaultValue process.env */
  readonly env?: { readonly [name: string]: string | undefined } | undefined
  /** The operating system. @defaultValue process.platform */
  readonly platform?: NodeJS.Platform | undefined
}

/** All that was found, and all that is wrong with it. */
export interface LoadedConfig {
  /** In the order of the files; two may have the same name. */
  readonly entries: readonly ConfigEntry[]
  /** Errors and warnings, with file and line. */
  readonly problems: readonly ConfigProblem[]
  /** The files that were read. */
  readonly files: readonly ConfigLocation[]
}

/** Reads configuration files. One that is broken, or one broken entry, never hides the others. */
export async function loadConfig(options: LoadConfigOptions = {}): Promise<LoadedConfig> {
  const { cwd = process.cwd(), home = homedir() } = options
  const { env = process.env, platform = process.platform } = options
  const named = options.files?.map((file) => givenLocation(resolve(cwd, file)))
  const locations = named ?? configLocations({ cwd, home, env, platform })

  const read = await Promise.all(
    locations.map(async (location) => {
      const text = await readText(location.file)
      if (text.kind === 'text') return { location, ...readConfig(text.text, location, { cwd }) }
      const isExpected = named === undefined && text.code === 'ENOENT'
      return isExpected ? undefined : { entries: [], problems: [unreadable(location, text.code)] }
    }),
  )
  const found = read.flatMap((each) => each ?? [])
  return {
    entries: found.flatMap(({ entries }) => entries),
    problems: found.flatMap(({ problems }) => problems),
    files: found.flatMap((each) => ('location' in each ? [each.location] : [])),
  }
}

function givenLocation(file: string): ConfigLocation {
  return { file, format: formatOfPath(file), scope: 'given' }
}

/** More than any configuration; a file of another kind was named by mistake. */
const maxBytes = 16 * 1024 * 1024

async function readText(
  file: string,
): Promise<{ kind: 'text'; text: string } | { kind: 'failed'; code: string }> {
  try {
    const bytes = await readFile(file)
    if (bytes.length > maxBytes) return { kind: 'failed', code: 'EFBIG' }
    return { kind: 'text', text: bytes.toString('utf8') }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'EIO'
    // A folder that is missing, or is a file, holds no configuration either.
    return { kind: 'failed', code: code === 'ENOTDIR' ? 'ENOENT' : code }
  }
}

function unreadable({ file }: ConfigLocation, code: string): ConfigProblem {
  return {
    level: 'error',
    file,
    message: code === 'ENOENT' ? 'does not exist' : `cannot be read: ${code}`,
    fix: code === 'ENOENT' ? `Check the path: ${dirname(file)}.` : undefined,
  }
}
