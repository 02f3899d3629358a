import type { CatalogueEntry, CatalogueFound } from '@parley/foundation/catalogue'
import {
  configFormats,
  isConfigFormat,
  type ConfigEntry,
  type LoadedConfig,
} from '@parley/foundation/config'
import type { HostServer } from '@parley/host'
import { findLocalModels, type LocalModel, type Model } from '@parley/host/models'

import type { ChatCatalogue, RegistryChoice, RegistryReview } from './catalogue.ts'
import type { FoundFile, FoundModel, FoundServer, CustomEntry } from './found.ts'
import type { OpenedChat, TitleSource } from './open-chat.ts'
import { changeSettings, readSettings, type ChatSettings } from './settings.ts'
import { shownTarget } from './shown-target.ts'

/** What is chosen once: servers of other applications' files, a model, folders. It lasts. */
export interface ChatSetup {
  /** Nothing was chosen yet. */
  isFirstRun(): Promise<boolean>
  /** Servers in the configuration files of other applications. */
  findServers(): Promise<readonly FoundFile[]>
  /** Models that run on this machine, and those whose key is in the environment. */
  findModels(): Promise<readonly FoundModel[]>
  /** Adds servers as they were shown; rejects if one is another by now. */
  addServers(
    file: string,
    servers: readonly { readonly name: string; readonly shown: string }[],
  ): Promise<void>
  /** Finds servers in a registry; undefined where there is none to ask. */
  readonly registry?: ChatRegistry | undefined
  /** Whether servers can be written to the user's own configuration. */
  readonly canAddCustom: boolean
  /** Writes a server to the user's own configuration, and starts it. */
  addCustom(name: string, entry: CustomEntry): Promise<void>
  /** Takes a server away that was added here. */
  removeServer(name: string): Promise<void>
  /** Chooses the model for new turns. */
  useModel(name: string, baseUrl?: string): Promise<void>
  /** Chooses who names new conversations. */
  setTitles(titles: TitleSource): Promise<void>
  /** The folders that were chosen. */
  roots(): Promise<readonly string[]>
  /** Chooses the folders that servers are told of. */
  setRoots(roots: readonly string[]): Promise<void>
  /** The welcome is over. */
  finish(): Promise<void>
}

/** A registry to find servers in, and to add them from. */
export interface ChatRegistry {
  /** The latest versions that fit, in the registry that is named or the usual one. */
  search(text: string, registry?: string): Promise<CatalogueFound>
  /** One version, and what it asks. */
  read(name: string, version: string, registry?: string): Promise<CatalogueEntry>
  /** What adding would do. */
  review(choice: RegistryChoice): Promise<RegistryReview>
  /** Adds a server as it was shown; rejects if it is another by now. */
  add(choice: RegistryChoice, shown: string): Promise<void>
}

/** Where it looks, and how what was found becomes usable. */
export interface ChatSetupOptions {
  /** Where choices last. */
  readonly file: string
  /** Reads the configuration files of this machine. */
  readonly load: () => Promise<Pick<LoadedConfig, 'entries' | 'problems' | 'files'>>
  /** Makes a server of an entry. */
  readonly toServer: (entry: ConfigEntry) => HostServer
  /** Opens a model by its name. */
  readonly openModel: (name: string, baseUrl: string | undefined) => Model
  /** Environment variables, to find keys in. */
  readonly env: { readonly [name: string]: string | undefined }
  /** Where servers can be found and added. @defaultValue nowhere */
  readonly catalogue?: ChatCatalogue | undefined
  /** The user's own configuration. @defaultValue nothing can be written there */
  readonly own?:
    | {
        add(name: string, entry: CustomEntry): Promise<HostServer>
        /** Nothing happens if it has no such server. */
        remove(name: string): Promise<void>
      }
    | undefined
  /** Whether the key of a variable is kept somewhere. @defaultValue only the environment is looked at */
  readonly hasKey?: ((variable: string) => Promise<boolean>) | undefined
  /** @defaultValue asks the usual ports of this machine */
  readonly findLocal?: (() => Promise<readonly LocalModel[]>) | undefined
}

/** Offers to choose, and keeps what was chosen. */
export function createChatSetup(
  chat: Pick<OpenedChat, 'host' | 'addModel' | 'addServer' | 'titles'>,
  options: ChatSetupOptions,
): ChatSetup {
  const { file: settingsFile, load, toServer, openModel, env, catalogue } = options
  const { findLocal = () => findLocalModels(), own, hasKey = async () => false } = options
  const change = (next: (settings: ChatSettings) => ChatSettings) =>
    changeSettings(settingsFile, next)

  return {
    isFirstRun: async () => (await readSettings(settingsFile)).isSetUp !== true,

    async findServers() {
      const { entries, files } = await load()
      const names = new Set(chat.host.servers.map(({ name }) => name))
      const byFile = [...new Map(files.map(({ file, format }) => [file, format]))]
      return byFile.flatMap(([file, format]): readonly FoundFile[] => {
        const servers = entriesIn(file, entries).map((entry) => describe(entry, names))
        const title = isConfigFormat(format) ? configFormats[format].title : format
        return servers.length === 0 ? [] : [{ file, format: title, servers }]
      })
    },

    async findModels() {
      const local = (await findLocal()).map(({ name, baseUrl, provider }): FoundModel => ({
        name,
        baseUrl,
        where: `runs on this machine (${provider})`,
      }))
      const offered = hosted.map(async ({ name, host, key }): Promise<FoundModel> => {
        const where = env[key]
          ? `at ${host}, with the key in ${key}`
          : (await hasKey(key))
            ? `at ${host}, with the key you entered`
            : `at ${host}; you are asked for a key once`
        return { name, where }
      })
      return [...local, ...(await Promise.all(offered))]
    },

    async addServers(file, wanted) {
      const { entries } = await load()
      const found = wanted.map(({ name, shown }) => {
        const entry = entriesIn(file, entries).find((candidate) => candidate.name === name)
        if (entry === undefined) throw new Error(`${file} has no server ${JSON.stringify(name)}`)
        if (shownTarget(entry) !== shown) {
          throw new Error(`${name} changed in ${file} since it was shown: look at it again`)
        }
        return entry
      })
      for (const entry of found) chat.addServer(toServer(entry))
      const added = wanted.map(({ name, shown }) => ({ file, name, shown }))
      await change((settings) => ({
        ...settings,
        servers: [
          ...(settings.servers ?? []).filter(
            (server) => !wanted.some(({ name }) => name === server.name),
          ),
          ...added,
        ],
      }))
    },

    registry: catalogue && {
      search: (text, registry) => catalogue.search(text, registry),
      read: (name, version, registry) => catalogue.read(name, version, registry),
      review: (choice) => catalogue.review(choice),
      async add(choice, shown) {
        if (chat.host.servers.some(({ name }) => name === choice.as)) {
          throw new Error(`there is a server named ${choice.as} already: use another name`)
        }
        chat.addServer(toServer(await catalogue.add(choice, shown)))
      },
    },

    canAddCustom: own !== undefined,

    async addCustom(name, entry) {
      if (own === undefined) throw new Error('servers cannot be written from here')
      if (chat.host.servers.some((server) => server.name === name)) {
        throw new Error(`there is a server named ${name} already: choose another name`)
      }
      chat.addServer(await own.add(name, entry))
      await change((settings) => ({ ...settings, own: [...(settings.own ?? []), name] }))
    },

    async removeServer(name) {
      await chat.host.removeServer(name)
      const { own: written = [] } = await readSettings(settingsFile)
      if (written.includes(name)) await own?.remove(name) // what somebody wrote by hand stays
      await change((settings) => ({
        ...settings,
        servers: (settings.servers ?? []).filter((server) => server.name !== name),
        ...(settings.own && { own: settings.own.filter((candidate) => candidate !== name) }),
      }))
    },

    async useModel(name, baseUrl) {
      chat.addModel(openModel(name, baseUrl))
      const model = { name, ...(baseUrl !== undefined && { baseUrl }) }
      await change((settings) => ({ ...settings, model }))
    },

    async setTitles(titles) {
      chat.titles = titles
      await change(({ titles: _, ...settings }) =>
        titles === 'model' ? { ...settings, titles } : settings,
      )
    },

    roots: async () => (await readSettings(settingsFile)).roots ?? [],

    async setRoots(roots) {
      await chat.host.setRoots(roots)
      await change((settings) => ({ ...settings, roots }))
    },

    finish: () => change((settings) => ({ ...settings, isSetUp: true })),
  }
}

/** Other names can be typed. */
const hosted = [
  {
    name: 'anthropic/claude-sonnet-4-5',
    host: 'api.anthropic.com',
    key: 'ANTHROPIC_API_KEY',
  },
  { name: 'openai/gpt-5', host: 'api.openai.com', key: 'OPENAI_API_KEY' },
] as const

function describe(entry: ConfigEntry, names: ReadonlySet<string>): FoundServer {
  const { name, settings } = entry
  const why = names.has(name)
    ? 'a server of this name is there already'
    : settings.isDisabled
      ? 'it is disabled in its file'
      : undefined
  return { name, shown: shownTarget(entry), ...(why !== undefined && { why }) }
}

/** Each name once: in the user's own folder a file is the project's and the user's. */
function entriesIn(file: string, entries: readonly ConfigEntry[]): readonly ConfigEntry[] {
  const own = entries.filter(({ source }) => source.file === file)
  return [...new Map(own.map((entry) => [entry.name, entry])).values()]
}
