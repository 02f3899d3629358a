import { readFile } from 'node:fs/promises'
import { basename, resolve, sep } from 'node:path'

import { inputVariable } from '../variables/inputs.ts'
import type { VariableSources } from '../variables/variables.ts'
import type { ConfigEntry, InputDefinition } from './config-entry.ts'

/** The sources of an entry's variables. */
export interface SourceOptions {
  readonly env: { readonly [name: string]: string | undefined }
  readonly home: string
  readonly cwd: string
  /** Answers to questions by id, as given on a command line; they come first. */
  readonly answers?: { readonly [id: string]: string } | undefined
  /** Answers a question: from memory, or by asking somebody. */
  readonly ask?: ((input: InputDefinition) => Promise<string | undefined>) | undefined
  readonly secret?: ((name: string) => Promise<string | undefined>) | undefined
  /** Whether `${NAME}` means the environment. @defaultValue true */
  readonly hasPlain?: boolean | undefined
}

/** The sources of an entry, and what was learnt by using them. */
export interface EntrySources {
  readonly sources: VariableSources
  readonly secrets: () => ReadonlySet<string>
  readonly unanswered: () => readonly InputDefinition[]
}

/** Looks things up once, however often an entry uses them. */
export function entrySources(entry: ConfigEntry, options: SourceOptions): EntrySources {
  const { env, home, cwd, hasPlain } = options
  const secrets = new Set<string>()
  const unanswered = new Map<string, InputDefinition>()
  const answersById = new Map<string, Promise<string | undefined>>()

  function input(id: string): Promise<string | undefined> {
    const value = answersById.get(id) ?? answer(id)
    answersById.set(id, value)
    return value
  }

  async function answer(id: string): Promise<string | undefined> {
    const definition = entry.inputs.get(id)
    if (definition === undefined) return undefined
    const value =
      options.answers?.[id] ??
      env[inputVariable(id)] ??
      (await options.ask?.(definition)) ??
      definition.default
    if (value === undefined) unanswered.set(id, definition)
    else if (definition.type === 'promptString' && definition.isPassword) secrets.add(value)
    return value
  }

  async function secret(name: string): Promise<string | undefined> {
    const value = await options.secret?.(name)
    if (value !== undefined) secrets.add(value)
    return value
  }

  async function file(path: string): Promise<string | undefined> {
    const full = path.startsWith('~/') ? resolve(home, path.slice(2)) : resolve(entry.folder, path)
    try {
      const text = (await readFile(full, 'utf8')).trim()
      secrets.add(text)
      return text
    } catch {
      return undefined // the problem names the variable, and so the file
    }
  }

  return {
    sources: {
      env: (name) => (Object.hasOwn(env, name) ? env[name] : undefined),
      input,
      secret,
      file,
      workspaceFolder: (name) => (name === basename(entry.folder) ? entry.folder : undefined),
      words: {
        workspaceFolder: entry.folder,
        workspaceFolderBasename: basename(entry.folder),
        userHome: home,
        cwd,
        pathSeparator: sep,
        '/': sep,
      },
      hasPlain,
    },
    secrets: () => secrets,
    unanswered: () => [...unanswered.values()],
  }
}
