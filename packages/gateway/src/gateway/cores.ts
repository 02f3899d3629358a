import type { Check, SharedState } from '../checks/check.ts'
import type { Processes } from '../cluster/processes.ts'
import type { NamingStrategy } from '../naming/naming.ts'
import type { SearchSettings } from '../search/search-settings.ts'
import type { ListName } from '../upstreams/upstream-lists.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import {
  createCore,
  type CoreOptions,
  type GatewayChange,
  type Rules,
  type RunningCore,
} from './core.ts'
import type { StatusShown } from './status.ts'

/** A part of what a gateway has, at a path of its own. */
export interface GatewayProfile {
  /** By name. @defaultValue all */
  readonly servers?: readonly string[] | undefined
  /** @defaultValue that of the gateway */
  readonly naming?: NamingStrategy | undefined
  /** @defaultValue that of the gateway */
  readonly search?: SearchSettings | undefined
  /** Before those of the gateway. */
  readonly checks?: readonly Check[] | undefined
  /** The content of `gateway://status`. @defaultValue that of the gateway */
  readonly status?: StatusShown | undefined
}

/** Profiles by name. */
export type GatewayProfiles = { readonly [name: string]: GatewayProfile }

/** Rules for a whole gateway. */
export interface AllRules extends Rules {
  readonly profiles: GatewayProfiles
}

/** All of a gateway, and its profiles. They share the servers, with their connections. */
export interface Cores {
  readonly whole: RunningCore
  readonly byProfile: ReadonlyMap<string, RunningCore>
  /** The whole first, then the profiles. */
  all(): readonly RunningCore[]
  announce(change: GatewayChange): void
  /** The lists of one server are not what they were. */
  listsChanged(server: string, changed: readonly ListName[]): void
  /** The servers or the rules have changed. A profile that is no longer there has nothing any more. */
  apply(rules: AllRules): void
  /** Set while the servers start for the first time. */
  resolve(settling: Promise<void> | undefined): void
  /** From now on it is one of several processes. */
  join(processes: Processes, shared: Omit<SharedState, 'signal'>): void
  /** Checks share nothing any more. */
  leave(): void
}

export function createCores(
  { profiles, ...rules }: AllRules,
  upstreams: ReadonlyMap<string, Upstream>,
  { onWarning, ...common }: Pick<CoreOptions, 'info' | 'onError' | 'signIns' | 'onWarning'>,
): Cores {
  const whole = createCore({ ...common, ...rules, upstreams, onWarning })
  const parts = new Map(
    Object.entries(profiles).map(([name, profile]) => {
      const own = partOf(upstreams, profile)
      const core = createCore({ ...common, ...rulesOf(rules, profile), upstreams: own })
      return [name, { own, core }]
    }),
  )
  let shared: Omit<SharedState, 'signal'> | undefined
  let used = new AbortController()

  function shareAll(allChecks: readonly Check[]): void {
    if (shared === undefined) return
    used.abort()
    used = new AbortController()
    for (const check of allChecks) check.share?.({ ...shared, signal: used.signal })
  }

  const all = (): readonly RunningCore[] => [whole, ...[...parts.values()].map(({ core }) => core)]

  return {
    whole,
    byProfile: new Map([...parts].map(([name, { core }]) => [name, core])),
    all,
    announce(change) {
      for (const core of all()) core.announce(change)
    },
    listsChanged(server, changed) {
      for (const core of all()) if (core.upstreams.has(server)) core.listsChanged(changed)
    },
    apply(next) {
      shareAll(next.checks)
      for (const [name, { own }] of parts) {
        const profile = next.profiles[name]
        own.clear()
        if (profile === undefined) continue
        for (const [server, upstream] of partOf(upstreams, profile)) own.set(server, upstream)
      }
      whole.apply(next)
      for (const [name, { core }] of parts) core.apply(rulesOf(next, next.profiles[name] ?? {}))
    },
    resolve(settling) {
      for (const core of all()) core.settling = settling
    },
    join(processes, cluster) {
      shared = cluster
      for (const core of all()) core.processes = processes
      shareAll(whole.checks)
    },
    leave() {
      used.abort()
      for (const core of all()) core.close()
    },
  }
}

function partOf(
  upstreams: ReadonlyMap<string, Upstream>,
  { servers }: GatewayProfile,
): Map<string, Upstream> {
  return new Map([...upstreams].filter(([name]) => servers?.includes(name) ?? true))
}

function rulesOf(rules: Rules, { naming, search, checks = [], status }: GatewayProfile): Rules {
  return {
    naming: naming ?? rules.naming,
    search: search ?? rules.search,
    checks: [...checks, ...rules.checks],
    statusShown: status ?? rules.statusShown,
  }
}
