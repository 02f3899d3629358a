import type { Client, ClientAuth, ConnectOptions, ServerEntry } from '@parley/mcp/client'

import type { HostAccount } from './host-account.ts'

/** A server the host may use. Nothing is started before it is needed. */
export interface HostServer {
  /** Its name for people and in rules. */
  readonly name: string
  /** How to reach it, or a function that finds out when it is first needed; what that throws is shown as the reason. */
  readonly target: HostTarget | (() => Promise<HostTarget>)
  /** Credentials for an address, looked up when it is first needed. */
  readonly auth?: ((url: string) => Promise<ClientAuth | undefined>) | undefined
  /** Signs the user in, so that `auth` has credentials afterwards. @defaultValue the user cannot sign in */
  readonly signIn?: ((options: HostSignInOptions) => Promise<void>) | undefined
  /** The account of the user who signed in. @defaultValue unknown: the user cannot sign out */
  readonly account?: HostAccount | undefined
  /** Further options of the SDK's `connect`, such as `auth`, `era` or `timeouts`. */
  readonly connect?: Omit<ConnectOptions, 'elicit' | 'sample' | 'roots' | 'signal'> | undefined
  /** The folders that it gets as roots. @defaultValue the host's */
  readonly roots?: readonly string[] | undefined
  /** Its results are trusted: they do not mark the conversation as `untrusted`. @defaultValue false */
  readonly trusted?: boolean | undefined
  /** Its results are private: they mark the conversation as `private`. @defaultValue false */
  readonly private?: boolean | undefined
  /** It is listed and never started, for this reason. */
  readonly disabledReason?: string | undefined
}

/** How a person signs in. */
export interface HostSignInOptions {
  /** Gets the address of the page where they sign in. Show it; it is not opened by itself. */
  readonly show: (page: URL) => void
  /** Gives up. */
  readonly signal: AbortSignal
}

/** An address, an entry of a configuration file, or a function that connects. */
export type HostTarget = string | URL | ServerEntry | OpenTarget

/** A server that is reached by code, such as one in this process. */
export interface OpenTarget {
  /** Connects to the server with these options. */
  open(options: ConnectOptions): Promise<Client>
  /** Changes when the server is another one. */
  readonly hash: string
}
