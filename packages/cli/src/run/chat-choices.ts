import type { ChatSettings } from '@parley/chat'
import type { ConfigEntry } from '@parley/foundation/config'
import type { HostServer } from '@parley/host'
import type { Model } from '@parley/host/models'

import type { CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import type { CommonFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { rootsOf } from '../target/roots.ts'
import { hostServers, serversOf } from './host-servers.ts'
import type { ModelFlags } from './model-of.ts'

/** The flags of `parley chat` that take the place of what was chosen in it. */
export type ChoiceFlags = CommonFlags & ModelFlags

/** Those of `--config`; without it your own, and those that were added in the page and are still what was agreed to. */
export async function chosenServers(
  flags: ChoiceFlags,
  { servers: added = [] }: ChatSettings,
  context: CommandContext,
): Promise<readonly HostServer[]> {
  if (flags.config !== undefined) return hostServers(flags, context)
  const { shownTarget } = await import('@parley/chat')
  const isAgreed = (entry: ConfigEntry) =>
    added.some(
      ({ file, name, shown }) =>
        file === entry.source.file && name === entry.name && shown === shownTarget(entry),
    )
  const isOwn = ({ source }: ConfigEntry) => source.format === 'parley' && source.scope === 'user'
  const isWanted = (entry: ConfigEntry) => isOwn(entry) || isAgreed(entry)
  const found = await hostServers(flags, context, { isWanted, isAgreed })
  const names = new Set(found.map(({ name }) => name))
  const changed = added.filter(({ name }) => !names.has(name))
  return [
    ...found,
    ...changed.map(({ name, file }): HostServer => ({
      name,
      target: '',
      disabledReason: `not started: it changed in ${file}, or is gone, since you added it. Remove it here and add it again.`,
    })),
  ]
}

/** A server that a person has just agreed to in the page. */
export function agreedServer(
  entry: ConfigEntry,
  flags: ChoiceFlags,
  context: CommandContext,
): HostServer {
  const [server] = serversOf({ entries: [entry], problems: [] }, flags, context, () => true)
  if (server === undefined) throw new CliError('error', `${entry.name} cannot be used`)
  return server
}

/** The one of the flags, else the one that was chosen in the page; the scripted one is always there. */
export function chosenModels(
  flags: ChoiceFlags,
  { model: stored }: ChatSettings,
  open: (flags: ModelFlags) => Model,
): readonly Model[] {
  const scripted = open({ model: 'scripted' })
  if (flags.model !== undefined) {
    const model = open(flags)
    return model.name === scripted.name ? [model] : [model, scripted]
  }
  if (flags.baseUrl !== undefined) {
    throw new CliError('error', '--base-url needs --model', {
      hint: 'For example --model llama3 --base-url http://127.0.0.1:11434/v1.',
    })
  }
  if (stored === undefined || stored.name === scripted.name) return [scripted]
  return [open({ model: stored.name, baseUrl: stored.baseUrl }), scripted]
}

export function chosenRoots(
  flags: ChoiceFlags,
  { roots = [] }: ChatSettings,
  io: Io,
): readonly string[] {
  return flags.root === undefined ? roots : rootsOf({ roots: [] }, flags, io.cwd)
}
