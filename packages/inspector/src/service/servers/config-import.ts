import { homedir } from 'node:os'
import process from 'node:process'

import {
  entryReads,
  loadConfig,
  readConfigText,
  resolveEntry,
  type ConfigEntry,
  type ConfigProblem,
  type InputDefinition,
  type LoadConfigOptions,
} from '@parley/foundation/config'
import type { ServerEntry } from '@parley/mcp/client'

import type {
  ConfigInput,
  ConfigOrigin,
  ConfigPreview,
  ConfigServer,
} from '../../protocol/index.ts'
import { checkParams } from '../checks.ts'
import type { Handlers } from '../handlers.ts'
import { ProblemError } from '../problem.ts'
import { argvOf, isCommand, maskEntry } from './entry-view.ts'
import type { Servers } from './servers.ts'

export interface ConfigImportContext {
  readonly servers: Servers
  readonly maySpawn: boolean
  /** Where configuration files are looked for. */
  readonly locations?: LoadConfigOptions | undefined
}

/** Adds servers of configuration files: pasted, dropped, or where other applications keep them. */
export function createConfigImport(
  parts: ConfigImportContext,
): Handlers<'config/read' | 'config/found' | 'config/add'> {
  const { servers, maySpawn, locations = {} } = parts
  const { cwd = process.cwd(), env = process.env, home = homedir() } = locations

  async function view(entry: ConfigEntry): Promise<ConfigServer> {
    const { name } = entry
    const asked: InputDefinition[] = []
    const resolved = await resolveEntry(entry, {
      env,
      home,
      cwd,
      async ask(input) {
        asked.push(input)
        return input.default ?? 'x' // only to see whether the rest has values
      },
    })
    const why = servers.views.some((candidate) => candidate.name === name)
      ? 'a server with this name exists'
      : entry.target.kind === 'command' && !maySpawn
        ? 'commands are not allowed here'
        : resolved.ok
          ? undefined
          : resolved.problems.map(({ key, message }) => `${key ?? ''} ${message}`.trim()).join('; ')
    return {
      name,
      shown: shownText(entry),
      reads: entryReads(entry),
      inputs: asked.map(describeInput),
      ...(why !== undefined && { why }),
    }
  }

  async function preview(read: {
    readonly entries: readonly ConfigEntry[]
    readonly problems: readonly ConfigProblem[]
  }): Promise<ConfigPreview> {
    return {
      servers: await Promise.all(read.entries.map(view)),
      problems: read.problems.map(sentence),
    }
  }

  async function entriesOf(origin: ConfigOrigin): Promise<readonly ConfigEntry[]> {
    if ('text' in origin) return readConfigText(origin.text, { name: origin.name, cwd }).entries
    const { entries } = await loadConfig(locations)
    return entriesIn(origin.file, entries)
  }

  async function resolve(entry: ConfigEntry, answers: { readonly [id: string]: string }) {
    const resolved = await resolveEntry(entry, { env, home, cwd, answers })
    if (!resolved.ok) {
      const [first] = resolved.problems
      throw new ProblemError(
        'config_incomplete',
        `${entry.name}: ${first?.message ?? 'incomplete'}`,
        {
          hint: `${first?.fix ?? 'Complete it.'} Nothing was added.`,
        },
      )
    }
    checkParams('servers/add', { name: entry.name, entry: resolved.entry })
    return { name: entry.name, ...resolved, era: entry.settings.era }
  }

  return {
    'config/read': ({ text, name }) => preview(readConfigText(text, { name, cwd })),

    async 'config/found'() {
      const { entries, problems, files } = await loadConfig(locations)
      const once = new Map(files.map(({ file, format }) => [file, format]))
      const found = [...once].map(async ([file, format]) => ({
        file,
        format,
        ...(await preview({
          entries: entriesIn(file, entries),
          problems: problems.filter((problem) => problem.file === file),
        })),
      }))
      return (await Promise.all(found)).filter((candidate) => candidate.servers.length > 0)
    },

    async 'config/add'({ from, names, answers = {} }) {
      const entries = await entriesOf(from)
      const wanted = entries.filter(({ name }) => names.includes(name))
      // All of them, or none: what is missing in one is said before another is added.
      const resolved = await Promise.all(wanted.map((entry) => resolve(entry, answers)))
      for (const { name, entry, era, roots } of resolved) {
        await servers.handlers['servers/add']({ name, entry })
        const settings = { ...(era !== undefined && { era }), ...(roots.length > 0 && { roots }) }
        if (Object.keys(settings).length > 0) {
          await servers.handlers['servers/settings']({ name, settings })
        }
      }
      return { added: resolved.map(({ name }) => name) }
    },
  }
}

/** Each once: in the user's own folder a file is the project's and the user's. */
function entriesIn(file: string, entries: readonly ConfigEntry[]): readonly ConfigEntry[] {
  const own = entries.filter(({ source }) => source.file === file)
  return [...new Map(own.toReversed().map((entry) => [entry.name, entry])).values()].toReversed()
}

function shownText({ target }: ConfigEntry): string {
  const entry: ServerEntry =
    target.kind === 'url'
      ? { url: target.url }
      : { command: target.command, args: [...target.args] }
  const masked = maskEntry(entry)
  return isCommand(masked) ? argvOf(masked).join(' ') : masked.url
}

function describeInput(input: InputDefinition): ConfigInput {
  const { id, description } = input
  return {
    id,
    isPassword: input.type === 'promptString' && input.isPassword,
    ...(description !== undefined && { description }),
    ...(input.type === 'pickString' && { options: input.options }),
  }
}

function sentence({ line, key, message, fix }: ConfigProblem): string {
  const where = [line === undefined ? '' : `line ${line}`, key ?? ''].filter(Boolean).join(', ')
  return `${where}${where === '' ? '' : ': '}${message}${fix === undefined ? '' : `. ${fix}`}`
}
