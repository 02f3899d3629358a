import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, resolve } from 'node:path'
import process from 'node:process'
import { parseEnv } from 'node:util'

import type { ServerEntry } from '@parley/mcp/client'

import { substitute, type VariableSources } from '../variables/variables.ts'
import type { ConfigEntry, ConfigProblem, InputDefinition, OauthSettings } from './config-entry.ts'
import { entryProblem, fixFor } from './entry-problem.ts'
import { entrySources, type SourceOptions } from './entry-sources.ts'

/** Where the values come from. */
export interface ResolveOptions extends Partial<SourceOptions> {}

/** An entry that can be started. */
export type Resolution =
  | {
      /** The entry can be started. */
      readonly ok: true
      /** The target, without variables. */
      readonly entry: ServerEntry
      /** The folders that the server may know as roots. */
      readonly roots: readonly string[]
      /** How to sign in, if the entry says so. */
      readonly oauth: OauthSettings | undefined
      /** Values that must not be shown: passwords that were asked for, and secrets. */
      readonly secrets: readonly string[]
    }
  | {
      /** The entry cannot be started. */
      readonly ok: false
      /** The problems, with their positions in the file. */
      readonly problems: readonly ConfigProblem[]
      /** Questions nobody has answered. */
      readonly inputs: readonly InputDefinition[]
    }

/** Puts values in place of variables in every field. One without a value is an error that names it, never sent on. */
export async function resolveEntry(
  entry: ConfigEntry,
  options: ResolveOptions = {},
): Promise<Resolution> {
  const { env = process.env, home = homedir(), cwd = process.cwd() } = options
  const { sources, secrets, unanswered } = entrySources(entry, { ...options, env, home, cwd })
  const problems: ConfigProblem[] = []
  const text = async (value: string, key: string) => fill(value, key, entry, sources, problems)
  // One after the other: problems, and questions, come in the order of the file.
  const list = async (values: readonly string[], key: string) => {
    const filled: string[] = []
    for (const [at, value] of values.entries()) filled.push(await text(value, `${key}.${at}`))
    return filled
  }
  const map = async (values: { readonly [name: string]: string }, key: string) => {
    const filled: [string, string][] = []
    for (const [name, value] of Object.entries(values)) {
      filled.push([name, await text(value, `${key}.${name}`)])
    }
    return Object.fromEntries(filled)
  }

  const { target, settings } = entry
  const found =
    target.kind === 'url'
      ? await urlEntry(target, { text, map })
      : await commandEntry(target, entry, { text, map, list }, problems)
  const roots = await list(settings.roots, 'roots')
  const { oauth } = settings
  const clientSecret = oauth?.clientSecret && (await text(oauth.clientSecret, 'oauth.clientSecret'))

  if (problems.length > 0) return { ok: false, problems, inputs: unanswered() }
  return {
    ok: true,
    entry: found,
    roots: roots.map((root) =>
      /^[a-z][\w+.-]+:/i.test(root) ? root : resolve(entry.folder, root),
    ),
    oauth: oauth && { ...oauth, clientSecret },
    secrets: [...secrets()],
  }
}

interface Fields {
  text(value: string, key: string): Promise<string>
  map(
    values: { readonly [name: string]: string },
    key: string,
  ): Promise<{ readonly [name: string]: string }>
  list(values: readonly string[], key: string): Promise<readonly string[]>
}

async function urlEntry(
  { type, url, headers }: Extract<ConfigEntry['target'], { kind: 'url' }>,
  { text, map }: Pick<Fields, 'text' | 'map'>,
): Promise<ServerEntry> {
  return {
    ...(type !== undefined && { type }),
    url: await text(url, 'url'),
    headers: await map(headers, 'headers'),
  }
}

async function commandEntry(
  target: Extract<ConfigEntry['target'], { kind: 'command' }>,
  entry: ConfigEntry,
  { text, map, list }: Fields,
  problems: ConfigProblem[],
): Promise<ServerEntry> {
  const { command, args, env, envFile, cwd, inheritEnv } = target
  const file = envFile && resolve(entry.folder, await text(envFile, 'envFile'))
  const folder = cwd === undefined ? undefined : await text(cwd, 'cwd')
  return {
    command: await text(command, 'command'),
    args: await list(args, 'args'),
    env: { ...(file && (await readEnvFile(file, entry, problems))), ...(await map(env, 'env')) },
    ...(folder !== undefined && {
      cwd: isAbsolute(folder) ? folder : resolve(entry.folder, folder),
    }),
    inheritEnv,
  }
}

async function readEnvFile(file: string, entry: ConfigEntry, problems: ConfigProblem[]) {
  try {
    const text = await readFile(file, 'utf8')
    return parseEnv(text.replace(/^\uFEFF/, '')) as { [name: string]: string } // never undefined
  } catch {
    problems.push(
      entryProblem(entry, 'envFile', `cannot be read: ${file}`, 'Create it, or remove envFile.'),
    )
    return {}
  }
}

async function fill(
  value: string,
  key: string,
  entry: ConfigEntry,
  sources: VariableSources,
  problems: ConfigProblem[],
): Promise<string> {
  const filled = await substitute(value, sources)
  if (filled.ok) return filled.text
  for (const { variable, reason } of filled.unresolved) {
    const what = reason === 'unset' ? 'has no value' : 'is not known'
    problems.push(entryProblem(entry, key, `${variable} ${what}`, fixFor(variable, reason)))
  }
  return ''
}
