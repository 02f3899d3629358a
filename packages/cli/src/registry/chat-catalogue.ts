import { homedir } from 'node:os'

import type { ChatCatalogue, RegistryChoice } from '@parley/chat'
import { configLocations, type ConfigEntry } from '@parley/foundation/config'

import { CliError } from '../exit.ts'
import type { Io } from '../io.ts'
import { loadFor } from '../target/configured-target.ts'
import { resolveAll, rejectionReason } from './install.ts'
import { commitInstall, prepareInstall } from './prepare-install.ts'
import { previewInstall } from './preview.ts'

/** Servers of a registry for `parley chat`: added as `parley add` does, to the user's own file, so that they are there at the next start. */
export function createChatCatalogue(io: Io): ChatCatalogue {
  const file = ownFile(io)

  async function open(registry: string | undefined) {
    const { openCatalogue } = await import('@parley/registry/client')
    return openCatalogue({ url: registry, env: io.env })
  }

  async function prepare({ name, version, plan: title, answers, as, registry }: RegistryChoice) {
    const { installOffers } = await import('@parley/registry/client')
    const catalogue = await open(registry)
    const found = await catalogue.find(name, version)
    const { plans, refused } = installOffers(found.server)
    const plan = plans.find((candidate) => candidate.title === title)
    if (plan === undefined) {
      const against = refused.find((candidate) => candidate.title === title)
      const why = against && rejectionReason(against)
      throw new Error(why ?? `${name} offers nothing with the name ${title}`)
    }
    const target = {
      found,
      registry: catalogue.url,
      entry: as,
      file,
      product: 'parley',
      isPinned: false,
    }
    const replies = await resolveAll(plan, {}, undefined, answers)
    const prepared = await prepareInstall(target, plan, replies, io)
    return { target, prepared, shown: previewInstall(target, prepared, io).lines.join('\n') }
  }

  return {
    async search(text, registry) {
      const catalogue = await open(registry)
      return { registry: catalogue.url, items: await catalogue.search(text) }
    },
    read: async (name, version, registry) => (await open(registry)).read(name, version),
    async review(choice) {
      const { shown } = await prepare(choice)
      return { shown, file }
    },
    async add(choice, agreed) {
      const { target, prepared, shown } = await prepare(choice)
      if (shown !== agreed) {
        throw new Error(`${choice.name} changed since it was shown: look at it again`)
      }
      await commitInstall(target, prepared, {}, { io }).catch(explain)
      return findEntry(choice.as)
    },
  }

  async function findEntry(name: string): Promise<ConfigEntry> {
    const { entries } = await loadFor({}, io)
    const entry = entries.find(
      (candidate) => candidate.name === name && candidate.source.file === file,
    )
    if (entry !== undefined) return entry
    throw new Error(`${file} was written, but ${name} is not found in it`)
  }
}

/** A page has no second line for what to do. */
function explain(error: unknown): never {
  if (!(error instanceof CliError) || error.hint === undefined) throw error
  throw new Error(`${error.message}. ${error.hint}`, { cause: error })
}

function ownFile({ cwd, env }: Io): string {
  const home = env['HOME'] ?? env['USERPROFILE'] ?? homedir()
  const locations = configLocations({ cwd, home, env, platform: process.platform })
  const own = locations.find(({ format, scope }) => format === 'parley' && scope === 'user')
  if (own === undefined) throw new Error('there is no place for a file of your own')
  return own.file
}
