import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { writePrivateFile } from '@parley/foundation/files'
import { stateFolder } from '@parley/foundation/secrets'
import { errorMessage } from '@parley/mcp/json'

import type { Collection, Rule } from '../../protocol/index.ts'
import type { SavedServer } from '../servers/servers.ts'

/** What is kept from one start to the next. */
export interface SavedState {
  readonly collections: readonly Collection[]
  readonly rules: readonly Rule[]
  readonly preferences: { readonly [name: string]: unknown }
  readonly servers: readonly SavedServer[]
  readonly model?:
    | { readonly url: string; readonly model: string; readonly hasKey: boolean }
    | undefined
}

/** One file, for our user only, written all or nothing. */
export interface StateFile {
  readonly loaded: SavedState
  /** Why what was there could not be used; it was left beside. */
  readonly problem: string | undefined
  /** Writes what `read` gives, soon; several wishes become one. */
  save(read: () => SavedState): void
  /** Until all is written. */
  flush(): Promise<void>
}

const empty: SavedState = { collections: [], rules: [], preferences: {}, servers: [] }

/** By the custom of the platform. */
export function defaultStateDirectory(): string {
  return join(stateFolder(), 'inspector')
}

export async function openStateFile(directory: string): Promise<StateFile> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, 'inspector.json')
  const { state, problem } = await load(path)
  let writing = Promise.resolve()
  let next: (() => SavedState) | undefined

  async function write(): Promise<void> {
    const read = next
    next = undefined
    if (read === undefined) return
    await writePrivateFile(path, `${JSON.stringify({ version: 1, ...read() }, undefined, 2)}\n`)
  }

  return {
    loaded: state,
    problem,
    save(read) {
      next = read
      writing = writing.then(write, write)
      writing.catch(() => undefined) // a full disk must not end the inspector; `flush` tells
    },
    flush: () => writing,
  }
}

async function load(path: string): Promise<{ state: SavedState; problem?: string }> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return { state: empty }
  try {
    const value = JSON.parse(text) as Partial<SavedState> & { version?: unknown } // written by us; its lists are checked below
    const { collections, rules, preferences, servers, model } = value
    return {
      state: {
        collections: Array.isArray(collections) ? collections : [],
        rules: Array.isArray(rules) ? rules : [],
        preferences: typeof preferences === 'object' ? preferences : {},
        servers: Array.isArray(servers) ? servers : [],
        ...(model && { model }),
      },
    }
  } catch (error) {
    const aside = `${path}.broken`
    await writePrivateFile(aside, text)
    const why = errorMessage(error)
    return { state: empty, problem: `${path} could not be read (${why}); it was saved as ${aside}` }
  }
}
