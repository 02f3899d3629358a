import type { CatalogueChoice, CatalogueEntry, CatalogueItem } from '@parley/foundation/catalogue'

import type { ServerResponse } from '../document/server-document.ts'
import { InstallRejection, installOffers, type InstallPlan } from '../install/install-plan.ts'
import { createRegistryClient, RegistryError, type RegistryClient } from './registry-client.ts'

/** The registry that is asked where nobody names another one. */
export const officialRegistry = 'https://registry.modelcontextprotocol.io'

/** A registry to browse: search, look at what an entry asks, and make a server entry of it. Rejects with a `RegistryError`. */
export interface Catalogue {
  /** Which registry it is. */
  readonly url: string
  /** The latest versions that fit, the best first. */
  readonly search: (text: string) => Promise<readonly CatalogueItem[]>
  /** One version, with the ways to run or reach it; the latest without a version. */
  readonly read: (name: string, version?: string) => Promise<CatalogueEntry>
  /** The version as the registry has it. */
  readonly find: (name: string, version?: string) => Promise<ServerResponse>
  /** The server entry of one of these ways, with answers to its questions. Versions are pinned, and no shell is used. */
  readonly fill: (choice: CatalogueChoice) => Promise<CatalogueServer>
}

/** An entry for a client, as the SDK takes it. */
export type CatalogueServer =
  | {
      /** The program to start. */
      readonly command: string
      /** Its arguments. */
      readonly args: readonly string[]
      /** Variables that are added to its environment. */
      readonly env?: { readonly [name: string]: string }
    }
  | {
      /** The transport. */
      readonly type: 'http' | 'sse'
      /** The address. */
      readonly url: string
      /** Headers that are sent with every request. */
      readonly headers?: { readonly [name: string]: string }
    }

/** Which registry to browse. */
export interface CatalogueOptions {
  /** @defaultValue `PARLEY_REGISTRY` of the environment, or the official one */
  readonly url?: string | undefined
  /** `PARLEY_REGISTRY` and `PARLEY_REGISTRY_TOKEN` are looked up in it; the token is for that registry only. */
  readonly env?: { readonly [name: string]: string | undefined } | undefined
  /** @defaultValue the global one */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
}

/** Opens a registry to browse, by the same rules as `parley search`. */
export function openCatalogue(options: CatalogueOptions = {}): Catalogue {
  const { env = {}, fetch } = options
  const usual = env['PARLEY_REGISTRY'] ?? officialRegistry
  const url = options.url ?? usual
  if (!/^https?:\/\/./.test(url)) {
    throw new RegistryError(`${url} is not the URL of a registry: it begins with https://`)
  }
  const isUsual = bare(url) === bare(usual)
  const client = createRegistryClient({
    url,
    fetch,
    token: isUsual ? env['PARLEY_REGISTRY_TOKEN'] : undefined,
  })
  return {
    url: client.url,
    search: async (text) => (await client.search(text, 30)).map(itemOf),
    async read(name, version) {
      const { found, plans, refused } = await find(client, name, version)
      return {
        item: itemOf(found),
        plans: plans.map(({ title, kind, questions, origin }) => ({
          title,
          kind,
          questions,
          origin,
        })),
        refused,
      }
    },
    find: (name, version) => client.find(name, version),
    async fill({ name, version, plan: title, answers }) {
      const { plans, refused } = await find(client, name, version)
      const plan = plans.find((candidate) => candidate.title === title)
      if (plan === undefined) {
        const [why] = refused.find((candidate) => candidate.title === title)?.reasons ?? []
        throw new RegistryError(
          why === undefined
            ? `${name} offers nothing with the name ${title}`
            : `${title} is not used: ${why}`,
        )
      }
      return serverOf(plan, answers)
    },
  }
}

function bare(url: string): string {
  return url.replace(/\/+$/, '').replace(/\/v0(?:\.1)?$/, '')
}

async function find(client: RegistryClient, name: string, version: string | undefined) {
  const found = await client.find(name, version)
  return { found, ...installOffers(found.server) }
}

function serverOf(plan: InstallPlan, answers: CatalogueChoice['answers']): CatalogueServer {
  for (const { id, isRequired, default: preset } of plan.questions) {
    if (!answers[id] && preset === undefined && isRequired) {
      throw new RegistryError(`${id} must be answered`)
    }
  }
  const entry = filled(() => plan.fill(({ id, default: preset }) => answers[id] || preset))
  if (entry.kind === 'url') {
    const { type, url, headers } = entry
    return { type, url, ...(Object.keys(headers).length > 0 && { headers }) }
  }
  const { command, args, env } = entry
  return { command, args, ...(Object.keys(env).length > 0 && { env }) }
}

/** Refusals are told as errors of the registry, which every caller shows. */
function filled<T>(fill: () => T): T {
  try {
    return fill()
  } catch (cause) {
    if (cause instanceof InstallRejection) throw new RegistryError(cause.message, { cause })
    throw cause
  }
}

function itemOf({ server, _meta: meta }: ServerResponse): CatalogueItem {
  const { name, version, title, description } = server
  const official = meta?.['io.modelcontextprotocol.registry/official']
  const flags = meta?.['dev.parley.registry/flags']
  return {
    name,
    version,
    ...(typeof title === 'string' && { title }),
    description: typeof description === 'string' ? description : '',
    status: official?.status ?? 'active',
    ...(official?.statusMessage !== undefined && { statusMessage: official.statusMessage }),
    flags: (Array.isArray(flags) ? flags : []).filter((flag) => typeof flag === 'string'),
  }
}
