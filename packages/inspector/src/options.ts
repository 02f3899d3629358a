import type { CatalogueChoice, CatalogueEntry, CatalogueItem } from '@parley/foundation/catalogue'
import type { LoadConfigOptions } from '@parley/foundation/config'
import type { ServerEntry } from '@parley/mcp/client'

import type { ApprovalView, DiagnosisStep, ServerSettings } from './protocol/index.ts'

/** A server that is known when the inspector starts. It was named by the user, so that its command counts as confirmed, unless it needs an approval. */
export interface ConfiguredServer {
  /** What the page calls it. */
  readonly name: string
  /** How it is reached: a command to start, or a URL. */
  readonly entry: ServerEntry
  /** Which file it comes from, or `command line`. */
  readonly source?: string | undefined
  /** Connect at once. @defaultValue false */
  readonly connect?: boolean | undefined
  /** What to begin with, such as a pinned revision; the page can change it. */
  readonly settings?: Partial<ServerSettings> | undefined
  /** It comes with a project, and is not connected before the user has approved what it does. */
  readonly approval?: ServerApproval | undefined
}

/** What the user is asked to approve, and how that is kept. */
export interface ServerApproval extends ApprovalView {
  /** Remembers that the user approves it. */
  approve(): Promise<void>
}

/** Looks at what stands in the way to a server, step by step. */
export type Diagnose = (
  entry: ServerEntry,
  options: { readonly name: string; readonly signal: AbortSignal },
) => AsyncIterable<DiagnosisStep>

/** A registry to find servers in. */
export interface Catalogue {
  /** Which registry it is. */
  readonly url: string
  /** The latest versions that fit, the best first. */
  search(text: string): Promise<readonly CatalogueItem[]>
  /** One version, the latest without one, and the ways to run or reach it. */
  read(name: string, version?: string): Promise<CatalogueEntry>
  /** The server entry of one of these ways, with answers to its questions. */
  fill(choice: CatalogueChoice): Promise<ServerEntry>
}

/** Opens the registry at a URL, or the usual one. */
export type OpenCatalogue = (url: string | undefined) => Promise<Catalogue>

/** What the Inspector shows, and where it listens. */
export interface InspectorOptions {
  /** Servers to show from the start. @defaultValue none */
  readonly servers?: readonly ConfiguredServer[] | undefined
  /** @defaultValue 127.0.0.1 */
  readonly host?: string | undefined
  /** @defaultValue 6274, or one of the next when that is taken */
  readonly port?: number | undefined
  /** Listen on an address that others can reach. @defaultValue false */
  readonly allowRemote?: boolean | undefined
  /** Names it answers to besides loopback, as a proxy in front calls it. @defaultValue none */
  readonly allowedHosts?: readonly string[] | undefined
  /** Where a proxy in front puts it. @defaultValue '/' */
  readonly basePath?: string | undefined
  /** Certificate and key in PEM, to serve HTTPS. @defaultValue plain HTTP */
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer } | undefined
  /** Open no browser, neither for the page nor to sign in. @defaultValue false */
  readonly noOpen?: boolean | undefined
  /** Take no command from the page. Configured ones run. @defaultValue false */
  readonly noSpawn?: boolean | undefined
  /** Call nothing that changes something. @defaultValue false */
  readonly readOnly?: boolean | undefined
  /** Write everything that happens to this file as well. */
  readonly record?: string | undefined
  /** Collections, rules, preferences and servers of the page. @defaultValue a folder of yours, by the custom of the platform */
  readonly stateDirectory?: string | undefined
  /** Where *Add server* looks for configuration files. @defaultValue where known applications keep them */
  readonly configPlaces?: Omit<LoadConfigOptions, 'files'> | undefined
  /** Walks to a server and tells each step, for the button *Diagnose*; without it there is none. */
  readonly diagnose?: Diagnose | undefined
  /** Opens a registry, for *Browse* in *Add server*; without it there is none. */
  readonly openCatalogue?: OpenCatalogue | undefined
  /** Where apps of servers are shown, which need an origin of their own. @defaultValue any port that is free */
  readonly sandboxPort?: number | undefined
  /** The built page. @defaultValue beside this package's code */
  readonly pageFolder?: string | undefined
}

/** A running inspector. */
export interface Inspector extends AsyncDisposable {
  /** Lets one browser in, once: the secret is in its fragment. */
  readonly url: string
  /** The port that it listens on. */
  readonly port: number
  /** Where programs find the address and their token; only our user can read it. */
  readonly tokenFile: string
  /** Another link, for another browser. */
  createUrl(): string
  /** Opens a browser with another link; rejects when that does not work. */
  openPage(): Promise<void>
  /** Connects one of the servers anew, as after a change of its code; what the page shows stays. */
  restart(name: string): Promise<void>
  /** Disconnects everything. Disposing is the same. */
  close(): Promise<void>
}
