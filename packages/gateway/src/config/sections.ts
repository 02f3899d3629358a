import { isDeepStrictEqual } from 'node:util'

import type { GatewayConfig } from './gateway-config.ts'

/** Sections that differ between two configurations. Secrets count by their values, where the section is about callers. */
export function changedSections(before: GatewayConfig, next: GatewayConfig): readonly string[] {
  const [was, is] = [before.operated.sections, next.operated.sections]
  return Object.keys(is).filter((name) => !isDeepStrictEqual(was[name], is[name]))
}

/** Those of them that need a restart: with profiles, only new ones do. */
export function needingRestart(started: GatewayConfig, next: GatewayConfig): readonly string[] {
  const changed = changedSections(started, next).filter((name) =>
    started.operated.startSections.includes(name),
  )
  const known = new Set(Object.keys(started.profiles))
  const added = Object.keys(next.profiles).filter((name) => !known.has(name))
  return [...changed, ...added.map((name) => `profiles.${name}`)]
}
