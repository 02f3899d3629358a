import type { Progress, Tool } from '@parley/mcp'
import type { Client } from '@parley/mcp/client'

import type { HostTarget } from '../connections/host-server.ts'
import type { Consent } from '../consent/consent.ts'
import type { Model } from '../models/model.ts'
import type { HostLimits } from '../turn/limits.ts'

/** Connected servers under the names that people and rules use. */
export interface AdapterServers {
  /** A client, or a client with more about it. */
  readonly [name: string]: Client | AdapterServer
}

/** A connected server, with more about it. */
export interface AdapterServer {
  /** The client that `connect()` returned. */
  readonly client: Client
  /** How it was reached: what was allowed for one command or URL is asked again for another. @defaultValue unknown */
  readonly target?: HostTarget | undefined
  /** Its results do not mark the conversation as `untrusted`. @defaultValue false */
  readonly trusted?: boolean | undefined
  /** Its results mark the conversation as `private`. @defaultValue false */
  readonly private?: boolean | undefined
}

/** Options for all tools that are handed over. */
export interface AdapterOptions {
  /** Decides about each call, for example `createConsent` of `@parley/host`. `'allow'` lets everything pass. */
  readonly consent: Consent | 'allow'
  /** Limits of calls and results; see {@link AdapterLimits} for each default. */
  readonly limits?: AdapterLimits | undefined
  /** Which tools to hand over. @defaultValue all */
  readonly filter?: ((server: string, tool: Tool) => boolean) | undefined
  /** The kinds of content that the model takes besides text. @defaultValue images */
  readonly accepts?: Model['accepts']
  /** Hears how far running calls have come. */
  readonly onProgress?: ((progress: AdapterProgress) => void) | undefined
}

/** Bounds of what a model can cause. */
export type AdapterLimits = Pick<
  HostLimits,
  'callsPerMinute' | 'parallelCalls' | 'callIdleMs' | 'callTotalMs' | 'resultCharacters'
>

/** How far a running call has come. */
export interface AdapterProgress extends Progress {
  /** The id that the model's provider gave the call. */
  readonly callId: string
  /** The server, as you named it. */
  readonly server: string
  /** The tool, by its own name. */
  readonly tool: string
}
