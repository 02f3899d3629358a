import type { ConfigFormat } from '../files/config-format.ts'

/** A JSON object whose members nobody has looked at yet. */
export interface RawObject {
  readonly [name: string]: unknown
}

/** Where an entry stands. */
export interface ConfigSource {
  /** The file, as an absolute path. */
  readonly file: string
  /** The line of the entry's name, counted from 1. */
  readonly line: number
  /** Which product's format the file has. */
  readonly format: ConfigFormat
  /** The scope of the file: the project's, the user's, or one that was named. */
  readonly scope: ConfigScope
}

/** The scope of a configuration file. A project's own may come from strangers, with the project. */
export type ConfigScope = 'given' | 'project' | 'user'

/** One server of a configuration file; variables are not resolved yet. */
export interface ConfigEntry {
  /** The name of the server in the file. */
  readonly name: string
  /** The file and line that it stands in. */
  readonly source: ConfigSource
  /** Everything that was written, keys that we do not know included. */
  readonly raw: RawObject
  /** How the server is reached: a command to start, or a URL. */
  readonly target: EntryTarget
  /** Time limits, roots, tags and the rest. */
  readonly settings: EntrySettings
  /** Where relative paths begin: the project's folder, or the file's. */
  readonly folder: string
  /** The questions that the same file defines, by id. */
  readonly inputs: ReadonlyMap<string, InputDefinition>
}

/** How the server is reached, as written: every text may hold variables. */
export type EntryTarget =
  | {
      /** A program that is started, with messages over its standard streams. */
      readonly kind: 'command'
      /** The program. */
      readonly command: string
      /** Its arguments. */
      readonly args: readonly string[]
      /** Variables that are added to its environment. */
      readonly env: { readonly [name: string]: string }
      /** A file with more variables, one `NAME=value` a line. */
      readonly envFile?: string | undefined
      /** The folder in which it is started. */
      readonly cwd?: string | undefined
      /** Which variables of this process it gets: a small safe set, all, or that set and the named ones. */
      readonly inheritEnv: 'minimal' | 'all' | readonly string[]
    }
  | {
      /** A server at an address. */
      readonly kind: 'url'
      /** The transport; found out if it is left out. */
      readonly type?: 'http' | 'sse' | 'ws' | undefined
      /** The address. */
      readonly url: string
      /** Headers that are sent with every request. */
      readonly headers: { readonly [name: string]: string }
    }

/** Settings of an entry besides how to reach the server. */
export interface EntrySettings {
  /** `auto`, `legacy`, `modern` or a revision. */
  readonly era?: string | undefined
  /** How long connecting may take, in milliseconds. */
  readonly connectMs?: number | undefined
  /** How long a call may be silent, in milliseconds. */
  readonly requestMs?: number | undefined
  /** How long a call may take in all, in milliseconds. */
  readonly maxMs?: number | undefined
  /** Folders that the server is told about; empty if the entry names none. */
  readonly roots: readonly string[]
  /** Words to choose servers by; empty if the entry has none. */
  readonly tags: readonly string[]
  /** The entry is switched off. */
  readonly isDisabled: boolean
  /** How to sign in, if the entry says so. */
  readonly oauth?: OauthSettings | undefined
}

/** How to sign in; the rest of `oauth` stays in `raw`. */
export interface OauthSettings {
  /** A client id that was registered beforehand. */
  readonly clientId?: string | undefined
  /** The secret that belongs to it. */
  readonly clientSecret?: string | undefined
  /** The scopes to request. @defaultValue the scopes that the server requires */
  readonly scopes?: readonly string[] | undefined
}

/** A question that is asked when an entry is started. */
export type InputDefinition =
  | {
      /** A text that is typed in. */
      readonly type: 'promptString'
      /** The name by which entries use the answer: `${input:id}`. */
      readonly id: string
      /** The question, for people. */
      readonly description?: string | undefined
      /** The answer that is offered. */
      readonly default?: string | undefined
      /** Not shown while it is typed, and kept as a secret. */
      readonly isPassword: boolean
    }
  | {
      /** One of several answers. */
      readonly type: 'pickString'
      /** The name by which entries use the answer: `${input:id}`. */
      readonly id: string
      /** The question, for people. */
      readonly description?: string | undefined
      /** The answer that is offered. */
      readonly default?: string | undefined
      /** The answers to choose from. */
      readonly options: readonly string[]
    }

/** Something in a configuration file that a person has to look at. */
export interface ConfigProblem {
  /** An `error` keeps the server from being used; a `warning` does not. */
  readonly level: 'error' | 'warning'
  /** The file that it is in. */
  readonly file: string
  /** The line, counted from 1; absent if it is about the whole file. */
  readonly line?: number | undefined
  /** The column, counted from 1, where it is known. */
  readonly column?: number | undefined
  /** Which server, where it is one. */
  readonly server?: string | undefined
  /** Where in the file, `mcpServers.git.command`. */
  readonly key?: string | undefined
  /** The problem, for people. */
  readonly message: string
  /** The fix, in one sentence. */
  readonly fix?: string | undefined
}
