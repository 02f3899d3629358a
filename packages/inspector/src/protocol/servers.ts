import type { Problem } from '@parley/foundation/channel'
import type { ServerEntry, ClientStatus } from '@parley/mcp/client'

/** A server in the rail: what was configured, and how the connection stands. */
export interface ServerView {
  /** Unique; chosen by the user or the configuration file. */
  readonly name: string
  /** With secrets masked. */
  readonly entry: ServerEntry
  /** Which file it comes from; absent for one added in the page. */
  readonly source?: string | undefined
  /** What a project's file would do that nobody has approved; while the state is `blocked`. */
  readonly approval?: ApprovalView | undefined
  /**
   * `blocked`: a command that nobody has confirmed, or a file of a project that nobody has approved; connecting asks. `unauthorized`: somebody has to sign in. `ended`:
   * by itself, while connected; what was known of it stays.
   */
  readonly state: 'off' | 'blocked' | ClientStatus['state'] | 'unauthorized' | 'failed' | 'ended'
  readonly problem?: Problem | undefined
  /** How it ended by itself: `ended with code 3`. */
  readonly ended?: string | undefined
  /** When connecting began, in milliseconds since the epoch; while it goes on. */
  readonly connectingSince?: number | undefined
  /** How often its program wrote to standard output what is no message, and the last such line. */
  readonly noise?: { readonly count: number; readonly text: string } | undefined
  readonly settings: ServerSettings
  /** Known once connected, and until the user disconnects. */
  readonly session?: SessionView | undefined
  /** Of the last answer, in milliseconds. */
  readonly lastLatencyMs?: number | undefined
}

/** What of this machine an entry of a project's file takes, and the origin it goes to; a command keeps it here. */
export interface ApprovalView {
  readonly reads: readonly { readonly variable: string; readonly key: string }[]
  readonly to?: string | undefined
}

/** What the user can set per server; a time of 0 takes it back. Applies from the next connect, except `logLevel`, `roots`, `askForRoots` and `pingEveryMs`. */
export interface ServerSettings {
  readonly era: 'auto' | 'legacy' | 'modern' | (string & {})
  readonly roots: readonly string[]
  /** Asks a person each time the server asks for roots, instead of telling it those above. @defaultValue false */
  readonly askForRoots?: boolean | undefined
  readonly logLevel?: string | undefined
  readonly requestTimeoutMs?: number | undefined
  /** How long connecting may take. @defaultValue 30_000 */
  readonly connectTimeoutMs?: number | undefined
  /** Asks so often whether the server is still there, and tells when it does not answer. Never without it. */
  readonly pingEveryMs?: number | undefined
  /** Which of the client's capabilities are offered. */
  readonly offers: {
    readonly elicitForm: boolean
    readonly elicitUrl: boolean
    readonly sampling: boolean
    readonly roots: boolean
    readonly tasks: boolean
    readonly skills: boolean
    /** @defaultValue true */
    readonly apps?: boolean | undefined
  }
}

/** What was agreed with a server, both sides of it. */
export interface SessionView {
  readonly revision: string
  readonly transport: string
  /** Why this revision: probed, remembered, pinned, fallback. One sentence for a person. */
  readonly why: string
  /** As the server said it: `initialize` or `server/discover` result. */
  readonly server: {
    readonly info?: { readonly [name: string]: unknown } | undefined
    readonly capabilities: { readonly [name: string]: unknown }
    readonly instructions?: string | undefined
  }
  /** What we offered. */
  readonly client: { readonly capabilities: { readonly [name: string]: unknown } }
}

/** Something about a server worth a look: duplicate names, missing descriptions, schemas that no model takes. */
export interface Warning {
  readonly level: 'info' | 'warning' | 'error'
  /** The name of what it is about; of the first, where there are several. */
  readonly about: string
  readonly kind?: 'tool' | undefined
  readonly message: string
  /** What is special about the first. */
  readonly detail?: string | undefined
  readonly hint?: string | undefined
  /** Where in the definition of the first, as a JSON pointer. */
  readonly pointer?: string | undefined
  /** Names of some others with the same fault. */
  readonly others?: readonly string[] | undefined
  /** How many have it in all; 1 where it is absent. */
  readonly count?: number | undefined
}

/** What a host application would not show or do with a server, and who says so. */
export interface HostProfile {
  readonly host: string
  readonly loses: readonly HostLoss[]
  /** All that is known of it comes from here. */
  readonly sources: readonly { readonly url: string; readonly date: string }[]
}

export interface HostLoss {
  readonly what: string
  readonly url: string
  /** When that was written, or else read. */
  readonly date: string
}

/** One thing that was looked at on the way to a server. */
export interface DiagnosisStep {
  /** What was looked at. */
  readonly title: string
  /** How it went; `skipped` if an earlier step failed. */
  readonly state: 'good' | 'warning' | 'bad' | 'skipped'
  /** What was seen. */
  readonly seen: string
  /** What to change; for warnings and faults. */
  readonly fix?: string | undefined
}

/** The card of a server. */
export interface ServerCardView {
  /** Where it was read. */
  readonly url: string
  readonly name: string
  readonly version: string
  readonly description: string
  /** Whether it names the address of the server as one of its own. */
  readonly isOfServer: boolean
}
