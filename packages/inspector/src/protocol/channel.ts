/**
 * What crosses the one WebSocket between page and service. The page asks by `id`; the service answers each once, and
 * tells events at any time.
 */

import type { CatalogueEntry, CatalogueFound } from '@parley/foundation/catalogue'
import type { Problem } from '@parley/foundation/channel'
import type { TraceRecord } from '@parley/foundation/trace'
import type { AppPage } from '@parley/mcp/apps'
import type { ServerEntry } from '@parley/mcp/client'

import type { AuthView } from './auth.ts'
import type { BenchPlan, BenchReport } from './bench.ts'
import type { Collection, CollectionRun } from './collections.ts'
import type { ConfigFile, ConfigOrigin, ConfigPreview } from './config.ts'
import type { Answer, ModelEndpoint, QuestionView, Rule } from './questions.ts'
import type { RunOutcome, RunProgress, TaskView } from './runs.ts'
import type {
  ApprovalView,
  DiagnosisStep,
  HostProfile,
  ServerCardView,
  ServerSettings,
  ServerView,
  Warning,
} from './servers.ts'

/** Everything the page may ask, by name: what it sends and what it gets. */
export interface Methods {
  /** The whole state, once after connecting; events keep it current. */
  'state/get': { params: Record<never, never>; result: State }

  /** Adds a server of the page. A command is not started before `servers/confirm`. */
  'servers/add': { params: { name: string; entry: ServerEntry }; result: ServerView }
  /** Another command or address for a server of the page; what is shown masked stays as it was. Not connected after. */
  'servers/edit': { params: { name: string; entry: ServerEntry }; result: ServerView }
  /** A copy under another name, with the same settings. Of the page, so a command is confirmed anew. */
  'servers/clone': { params: { name: string; as: string }; result: ServerView }
  /** The servers of a configuration that was pasted or dropped, read as the command line reads files. */
  'config/read': { params: { text: string; name?: string | undefined }; result: ConfigPreview }
  /** The configuration files of this machine, ours and those of other applications. */
  'config/found': { params: Record<never, never>; result: readonly ConfigFile[] }
  /** Adds servers with their variables resolved; all of them or, when one lacks something, none. Nothing is started. */
  'config/add': {
    params: {
      from: ConfigOrigin
      names: readonly string[]
      /** To the questions of the configuration, by id. */
      answers?: { readonly [id: string]: string } | undefined
    }
    result: { added: readonly string[] }
  }
  /** Searches a registry: the one that is named, or the usual one. */
  'catalogue/search': {
    params: { text: string; registry?: string | undefined }
    result: CatalogueFound
  }
  /** One version of an entry, the latest without one, and what it asks. */
  'catalogue/read': {
    params: { name: string; version?: string | undefined; registry?: string | undefined }
    result: CatalogueEntry
  }
  /** Adds an entry of a registry as a server of the page. A command is not started before `servers/confirm`. */
  'catalogue/add': {
    params: {
      name: string
      version: string
      /** The title of one of its plans. */
      plan: string
      answers: { readonly [id: string]: string }
      /** The name of the server. */
      as: string
      registry?: string | undefined
    }
    result: ServerView
  }
  'servers/remove': { params: { name: string }; result: Record<never, never> }
  'servers/settings': {
    params: { name: string; settings: Partial<ServerSettings> }
    result: ServerView
  }
  /** The user has seen exactly this command line, environment (as the view shows it) and folder, and wants it run. Connects. */
  'servers/confirm': {
    params: {
      name: string
      argv: readonly string[]
      env?: { readonly [name: string]: string } | undefined
      cwd?: string | undefined
    }
    result: ServerView
  }
  /** The user has seen what a project's file sends, and where to, and wants that. Kept for the next time. Connects. */
  'servers/approve': {
    params: { name: string; reads: ApprovalView['reads']; to: string }
    result: ServerView
  }
  /** Resolves when connected; a failure is an error and is also in the view. */
  'servers/connect': { params: { name: string }; result: ServerView }
  'servers/disconnect': { params: { name: string }; result: ServerView }
  'servers/restart': { params: { name: string }; result: ServerView }
  'servers/warnings': { params: { name: string }; result: readonly Warning[] }
  /** What each known host application would not show or do with this server. */
  'servers/profiles': {
    params: { name: string }
    result: readonly HostProfile[]
  }
  /** What a server that is reached by URL says of itself before anybody connects. */
  'servers/card': { params: { name: string }; result: { card?: ServerCardView } }
  /** Walks to the server step by step, with a start of its own for a command, and says what stands in the way. */
  'servers/diagnose': { params: { name: string }; result: readonly DiagnosisStep[] }

  /**
   * Any request of the protocol: `tools/call`, `resources/read`, `completion/complete`, a list with a `cursor`, or a
   * name and params by hand. Ends with an outcome, also when the server answers with an error.
   */
  'runs/start': {
    params: {
      server: string
      run: string
      method: string
      params: { [name: string]: unknown }
      asTask?: boolean | undefined
      timeoutMs?: number | undefined
    }
    result: RunOutcome
  }
  'runs/cancel': { params: { run: string }; result: Record<never, never> }
  /** All pages of a list, or those that came before something went wrong. */
  'lists/all': {
    params: { server: string; kind: 'tools' | 'resources' | 'templates' | 'prompts' }
    result: {
      items: readonly { [name: string]: unknown }[]
      pages: number
      problem?: Problem | undefined
    }
  }
  /** The skills a server lists; no file is read. */
  'skills/list': { params: { server: string }; result: readonly SkillView[] }
  /** One file of a skill, by the URI of its SKILL.md and its own. Size and digest are checked where the skill has them. */
  'skills/read': {
    params: { server: string; skill: string; file: string }
    result: { text?: string | undefined; blob?: string | undefined; isChecked: boolean }
  }
  /** The page of an app, with what is worth a look about it. */
  'apps/read': { params: { server: string; uri: string }; result: AppView }
  /** A message between an app and the page that shows it, for the trace. */
  'apps/trace': {
    params: {
      server: string
      /** Names one showing of an app. */
      frame: string
      app: string
      /** `in` is from the app. */
      direction: 'in' | 'out'
      message: { [name: string]: unknown }
    }
    result: Record<never, never>
  }
  /** An icon at an https address, fetched without credentials or redirects; its type is that of its bytes. */
  'icons/load': {
    params: { server: string; src: string }
    result: { type: string; data: string }
  }
  'resources/subscribe': { params: { server: string; uri: string }; result: Record<never, never> }
  'resources/unsubscribe': { params: { server: string; uri: string }; result: Record<never, never> }
  /** Which of these roots are no folders that can be read now. */
  'roots/check': {
    params: { roots: readonly string[] }
    result: readonly { root: string; why: string }[]
  }
  'logging/level': { params: { server: string; level: string }; result: Record<never, never> }
  ping: { params: { server: string }; result: { ms: number } }

  'tasks/cancel': { params: { server: string; taskId: string }; result: Record<never, never> }
  'tasks/result': { params: { server: string; taskId: string }; result: RunOutcome }

  'questions/answer': { params: { id: string; answer: Answer }; result: Record<never, never> }
  'rules/save': { params: { rules: readonly Rule[] }; result: readonly Rule[] }
  /** The key goes to the secret store and never comes back. */
  'model/save': {
    params: { url: string; model: string; key?: string | undefined }
    result: ModelEndpoint
  }

  'trace/page': {
    params: { after: number; limit: number }
    result: { records: readonly TraceRecord[]; first: number; last: number }
  }
  'trace/clear': { params: Record<never, never>; result: Record<never, never> }
  /** As a file's text; secrets masked. */
  'trace/export': {
    params: { format: 'jsonl' | 'test'; from?: number; to?: number }
    result: { name: string; text: string }
  }
  /** The same request once more, possibly edited; its outcome is that of `runs/start`. */
  'trace/resend': {
    params: {
      server: string
      run: string
      message: { [name: string]: unknown }
      /** The record it was made from: what the page saw masked is sent as it was. */
      seq?: number | undefined
    }
    result: RunOutcome
  }
  /** A recorded request as text to paste. */
  'trace/copy': {
    params: { seq: number; as: 'curl' | 'cli' | 'code' | 'test' | 'json' }
    result: { text: string }
  }

  'auth/get': { params: { server: string }; result: AuthView }
  'auth/sign-in': {
    params: {
      server: string
      clientId?: string | undefined
      /** Of a client that was registered by hand. It is not kept, and never comes back. */
      clientSecret?: string | undefined
      scope?: string | undefined
    }
    result: AuthView
  }
  /** Forgets the tokens and takes them back at the issuer; `signedOut` says how that went. */
  'auth/sign-out': { params: { server: string }; result: AuthView }
  /** Calls a tool with a token that has too few scopes, and gets those the server asks for. */
  'auth/step-up': {
    params: {
      server: string
      tool: string
      arguments: { [name: string]: unknown }
      /** Signs in anew with only these before. */
      scope?: string | undefined
    }
    result: AuthView
  }
  /** What the server says to a token it must refuse. */
  'auth/test': {
    params: {
      server: string
      test: 'none' | 'garbage' | 'expired' | 'wrong-issuer' | 'wrong-audience'
    }
    result: { status: number; challenge?: string | undefined; verdict: string; ok: boolean }
  }

  'bench/start': { params: BenchPlan; result: { id: string } }
  'bench/stop': { params: { id: string }; result: BenchReport }

  'collections/save': { params: Collection; result: readonly Collection[] }
  'collections/remove': { params: { name: string }; result: readonly Collection[] }
  'collections/run': { params: { name: string }; result: CollectionRun }
  /** Those that were kept, newest first; also of earlier starts. */
  'collections/runs': { params: { name: string }; result: readonly CollectionRun[] }
  /** As a file that `collections/import` and `parley` take. */
  'collections/export': { params: { name: string }; result: { name: string; text: string } }
  /** Gets another name where its own is taken. */
  'collections/import': {
    params: { text: string }
    result: { name: string; collections: readonly Collection[] }
  }
  'preferences/save': { params: { [name: string]: unknown }; result: Record<never, never> }
}

/** Everything the service tells by itself. */
export interface Events {
  'servers/changed': { servers: readonly ServerView[] }
  /** A list of a server is out of date. */
  'lists/changed': { server: string; kind: 'tools' | 'resources' | 'prompts' }
  'resources/updated': { server: string; uri: string }
  'runs/progress': RunProgress
  /** An answer that came after the run was cancelled. */
  'runs/late': RunOutcome
  'questions/changed': { questions: readonly QuestionView[] }
  'tasks/changed': { tasks: readonly TaskView[] }
  /** In batches, at most ten a second; of a flood the newest, and how many there were besides. */
  'logs/lines': { lines: readonly LogLine[] }
  /** In batches, at most ten a second. */
  'trace/records': { records: readonly TraceRecord[] }
  'auth/changed': AuthView
  'bench/report': BenchReport
}

export interface LogLine {
  readonly server: string
  readonly at: number
  /** A level of the protocol; lines of standard error have none. */
  readonly level?: string | undefined
  readonly logger?: string | undefined
  readonly data: unknown
  readonly from: 'server' | 'stderr' | 'inspector'
}

export interface State {
  readonly version: string
  readonly servers: readonly ServerView[]
  readonly questions: readonly QuestionView[]
  readonly rules: readonly Rule[]
  readonly model?: ModelEndpoint | undefined
  readonly tasks: readonly TaskView[]
  readonly logs: readonly LogLine[]
  readonly collections: readonly Collection[]
  readonly preferences: { readonly [name: string]: unknown }
  readonly trace: { readonly first: number; readonly last: number; readonly limit: number }
  /** Where apps of servers are shown: a port on the name of the page. */
  readonly sandboxPort?: number | undefined
  /** Under `--no-spawn` no command can be added; under `--read-only` nothing that changes can be called; not every program can diagnose, or browse a registry. */
  readonly may: {
    readonly spawn: boolean
    readonly change: boolean
    readonly diagnose: boolean
    readonly browse: boolean
  }
}

/** From the page. */
export type PageMessage = {
  [M in keyof Methods]: {
    readonly id: number
    readonly method: M
    readonly params: Methods[M]['params']
  }
}[keyof Methods]

/** A skill as a server lists it. */
export interface SkillView {
  /** Of its `SKILL.md`. */
  readonly uri: string
  readonly frontmatter: { readonly [name: string]: unknown }
  /** `dynamic`: contents are made when asked for, and cannot be checked. */
  readonly files:
    | readonly { readonly uri: string; readonly size: number; readonly digest: string }[]
    | 'dynamic'
}

/** An app of a server: its page, and what is worth a look about it. */
export interface AppView {
  readonly page: AppPage
  readonly findings: readonly AppFinding[]
}

/** Something about an app that is worth a look, such as a script that its policy forbids. */
export interface AppFinding {
  readonly level: 'info' | 'warning' | 'error'
  readonly message: string
  readonly detail?: string | undefined
  readonly hint?: string | undefined
}
