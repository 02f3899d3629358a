import type { ConfigEntry } from '@parley/foundation/config'

import type { CommandContext } from '../command.ts'
import { describedKinds } from '../describe/find-described.ts'
import { flagsWithValue, type CommonFlags } from '../flags.ts'
import { loadFor } from '../target/configured-target.ts'

/** How long somebody who pressed a key waits for a server. */
const waitMs = 3_000
const maxWords = 200

/** Commands whose first word is a server, and what their second is. */
const secondWords: { readonly [command: string]: 'tool' | 'prompt' | 'resource' | 'kind' | 'any' } =
  {
    call: 'tool',
    bench: 'tool',
    describe: 'any',
    prompt: 'prompt',
    read: 'resource',
    list: 'kind',
    complete: 'prompt',
  }

const withServers = new Set(
  `${Object.keys(secondWords).join(' ')} info ping watch inspect doctor check types`.split(' '),
)

/**
 * What may stand in the place of the last of these words: names of configured servers, then kinds, or names that the
 * server gives. Pressing a key starts no program, and reaches nothing that a project's file names: only a URL that was
 * typed, or is in a file of the user's own, is asked.
 */
export async function suggest(
  words: readonly string[],
  context: CommandContext,
): Promise<readonly string[]> {
  const [command = '', ...rest] = words
  const current = rest.at(-1) ?? ''
  if (rest.at(-2) === '--kind') return matching(describedKinds, current)
  if (rest.at(-2) === '--server') return matching(await serverNames(rest, context), current)
  if (rest.includes('--') || !withServers.has(command)) return []
  const before = plainWords(rest.slice(0, -1))
  const [server] = before
  if (server === undefined)
    return matching([...(await serverNames(rest, context)), ...kindsOf(command)], current)
  const kind = secondWords[command]
  if (before.length !== 1 || kind === undefined) return []
  if (kind === 'kind') return matching(kindsOf(command), current)
  return matching(await offeredNames(server, kind, rest, context), current)
}

/** The second word of `list` needs no server. */
function kindsOf(command: string): readonly string[] {
  return command === 'list' ? ['tools', 'resources', 'templates', 'prompts', 'all'] : []
}

function plainWords(words: readonly string[]): readonly string[] {
  return words.filter(
    (word, at) => !word.startsWith('-') && !flagsWithValue.has(words[at - 1] ?? ''),
  )
}

async function entriesFor(
  words: readonly string[],
  { io }: CommandContext,
): Promise<readonly ConfigEntry[]> {
  const files = words.filter((_, at) => words[at - 1] === '--config')
  const { entries } = await loadFor(files.length === 0 ? {} : { config: files }, io)
  return entries
}

async function serverNames(
  words: readonly string[],
  context: CommandContext,
): Promise<readonly string[]> {
  const entries = await entriesFor(words, context)
  return entries.filter(({ settings }) => !settings.isDisabled).map(({ name }) => name)
}

async function offeredNames(
  server: string,
  kind: 'tool' | 'prompt' | 'resource' | 'any',
  words: readonly string[],
  context: CommandContext,
): Promise<readonly string[]> {
  const entry = (await entriesFor(words, context)).find(({ name }) => name === server)
  const isOwn = entry?.target.kind === 'url' && entry.source.scope === 'user'
  if (!isOwn && !/^(?:https?|wss?):\/\//i.test(server)) return []
  const flags: CommonFlags = { timeout: waitMs, quiet: true, json: true }
  const { resolveTarget } = await import('../target/target.ts')
  const target = await resolveTarget(server, flags, context)
  const { withTarget } = await import('../connection.ts')
  const wanted = (candidate: string) => kind === candidate || kind === 'any'
  return withTarget(target, flags, context, async ({ client, call: { signal } }) => {
    const { capabilities } = client.server
    const tools =
      wanted('tool') && capabilities.tools ? await client.listTools({ signal }).toArray() : []
    const prompts =
      wanted('prompt') && capabilities.prompts ? await client.listPrompts({ signal }).toArray() : []
    const resources =
      wanted('resource') && capabilities.resources
        ? await client.listResources({ signal }).toArray()
        : []
    return [...[...tools, ...prompts].map(({ name }) => name), ...resources.map(({ uri }) => uri)]
  })
}

/** Names are a server's: only those that are one plain word for every shell. */
function matching(names: readonly string[], current: string): readonly string[] {
  const plain = names.filter(
    (name) => /^[\w./:@%+=,][\w./:@%+=,-]*$/.test(name) && name.startsWith(current),
  )
  return [...new Set(plain)].slice(0, maxWords)
}
