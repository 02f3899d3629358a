/**
 * What all callers of one gateway share: the servers behind it, the catalogue of what they offer, checks, limits and settings, and
 * the events about changes. `relay.ts` and `session.ts` answer requests with it; `start-gateway.ts` makes it and replaces the
 * settings when the file changes.
 */

import type { AuthInfo, Implementation, OnError } from '@parley/mcp'

import type { Check } from '../checks/check.ts'
import type { Processes } from '../cluster/processes.ts'
import type { SignIns } from '../identity/sign-ins.ts'
import { createCatalogue, type Catalogue } from '../naming/catalogue.ts'
import type { NamingStrategy } from '../naming/naming.ts'
import { createGatewaySearch, type GatewaySearch } from '../search/gateway-search.ts'
import type { SearchSettings } from '../search/search-settings.ts'
import type { ListName, UpstreamLists } from '../upstreams/upstream-lists.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import { callerListsOf, createCallerCatalogues } from './caller-catalogues.ts'
import type { GatewayObserver } from './observer.ts'
import { createOrigins, type Origins } from './origins.ts'
import type { GatewaySession } from './session.ts'
import type { StatusShown } from './status.ts'

/** Something about the gateway that clients may want to hear of. */
export type GatewayChange =
  | {
      readonly type: 'tools' | 'prompts' | 'resources'
      /** The user that it concerns; all if it is left out. */
      readonly account?: string | undefined
    }
  /** The state of a server. */
  | { readonly type: 'status' }
  /** Which servers there are. */
  | { readonly type: 'servers' }

/** State that all callers of a gateway share. */
export interface GatewayCore {
  readonly info: Implementation
  readonly naming: NamingStrategy
  readonly checks: readonly Check[]
  /** Stands for the tools, where there are many. */
  readonly search: GatewaySearch | undefined
  readonly onError: OnError
  /** In the order of the configuration. */
  readonly upstreams: ReadonlyMap<string, Upstream>
  /** Returns the current features of all servers. */
  catalogue(): Catalogue
  /** Whether callers are offered different things by some server. */
  readonly hasCallers: boolean
  /** Returns the features for this caller. */
  catalogueFor(auth: AuthInfo | undefined): Promise<Catalogue> | Catalogue
  /** Returns the features of one server for this caller, as far as known. */
  listsFor(upstream: Upstream, auth: AuthInfo | undefined): Promise<UpstreamLists> | UpstreamLists
  /** Where things come from that are in no list. */
  readonly origins: Origins
  /** Resolves when every server has answered or failed, or the time for that is over. Undefined once it is. */
  readonly settling: Promise<void> | undefined
  /** The others that are the same gateway. Undefined where there is this process alone. */
  readonly processes: Processes | undefined
  readonly listeners: Set<(change: GatewayChange) => void>
  /** Signs callers in to servers; undefined where there is no page to do so. */
  readonly signIns: SignIns | undefined
  /** The sessions of clients that have one. */
  readonly sessions: Set<GatewaySession>
  /** Set while somebody looks. */
  readonly observer: GatewayObserver | undefined
  /** The data about servers that callers see. */
  readonly statusShown: StatusShown
  announce(change: GatewayChange): void
  /** The lists of a server are not what they were. */
  listsChanged(changed: readonly ListName[]): void
}

/** Options of a core. */
export interface CoreOptions extends Rules {
  readonly info: Implementation
  readonly onError: OnError
  /** They may be exchanged while it runs. */
  readonly upstreams: ReadonlyMap<string, Upstream>
  readonly signIns?: SignIns | undefined
  /** Hears each warning about lists once. */
  readonly onWarning?: ((text: string) => void) | undefined
}

/** Warnings that are reported one by one when lists have changed. */
const maxAtOnce = 20

/** The rules for all servers that a changed configuration replaces. */
export interface Rules {
  readonly naming: NamingStrategy
  readonly checks: readonly Check[]
  readonly search?: SearchSettings | undefined
  readonly statusShown: StatusShown
}

/** A core, for whoever runs it. */
export interface RunningCore extends GatewayCore {
  settling: Promise<void> | undefined
  processes: Processes | undefined
  observer: GatewayObserver | undefined
  /** The configuration has changed. */
  apply(rules: Rules): void
  /** Listens to nothing any more. */
  close(): void
}

export function createCore(options: CoreOptions): RunningCore {
  const { upstreams, info, onError, signIns, onWarning } = options
  let { naming, checks, statusShown } = options
  let search = options.search && createGatewaySearch(options.search)
  const listeners = new Set<(change: GatewayChange) => void>()
  let cached: Catalogue | undefined
  let reported: ReadonlySet<string> = new Set()
  const callers = createCallerCatalogues()
  let hasCallers: boolean | undefined
  let following = followChecks()

  function announce(change: GatewayChange): void {
    for (const listener of listeners) listener(change)
  }

  /** Each once, however often the lists change. */
  function reportNew(warnings: readonly string[]): void {
    if (onWarning === undefined) return
    const fresh = warnings.filter((warning) => !reported.has(warning))
    reported = new Set(warnings)
    for (const warning of fresh.slice(0, maxAtOnce)) onWarning(warning)
    const rest = fresh.length - maxAtOnce
    if (rest > 0) onWarning(`${rest} more warnings about lists: gateway://status has them`)
  }

  /** Listens for changes of checks: approving a waiting definition changes lists without any server. */
  function followChecks(): readonly Disposable[] {
    const onChange = (): void => {
      for (const type of ['tools', 'prompts', 'resources'] as const) announce({ type })
    }
    return checks.flatMap((check) => check.watch?.(onChange) ?? [])
  }

  function leaveChecks(): void {
    for (const each of following) each[Symbol.dispose]()
    following = []
  }

  return {
    info,
    onError,
    upstreams,
    signIns,
    get naming() {
      return naming
    },
    get checks() {
      return checks
    },
    get search() {
      return search
    },
    get statusShown() {
      return statusShown
    },
    apply(rules) {
      hasCallers = undefined
      leaveChecks()
      naming = rules.naming
      takeOver(checks, rules.checks)
      checks = rules.checks
      search = rules.search && createGatewaySearch(rules.search)
      statusShown = rules.statusShown
      following = followChecks()
      cached = undefined
      announce({ type: 'servers' })
      for (const type of ['tools', 'prompts', 'resources'] as const) announce({ type })
    },
    close: leaveChecks,
    catalogue() {
      if (cached !== undefined) return cached
      cached = createCatalogue(
        [...upstreams.values()].map((upstream) => ({ upstream, lists: upstream.lists })),
        naming,
      )
      reportNew(cached.warnings)
      return cached
    },
    get hasCallers() {
      hasCallers ??= [...upstreams.values()].some((each) => each.callers !== undefined)
      return hasCallers
    },
    catalogueFor(auth) {
      return this.hasCallers ? callers.of(this, auth) : this.catalogue()
    },
    listsFor: (upstream, auth) => callerListsOf(upstream, auth, naming),
    origins: createOrigins(),
    settling: undefined,
    processes: undefined,
    observer: undefined,
    sessions: new Set(),
    listeners,
    announce,
    listsChanged(changed) {
      cached = undefined
      const types = new Set(
        changed.map((list) => (list === 'resourceTemplates' ? 'resources' : list)),
      )
      for (const type of types) announce({ type })
    },
  }
}

/** A changed configuration is no reason to forget what callers have used up. */
function takeOver(before: readonly Check[], next: readonly Check[]): void {
  for (const check of next) {
    const memory = before.find(({ name }) => name === check.name)?.memory
    if (memory !== undefined && memory !== check.memory) check.takeOver?.(memory)
  }
}
