import { isDeepStrictEqual } from 'node:util'

import { checkNames } from '../checks/check-names.ts'
import type { GatewayConfig } from './gateway-config.ts'

/** When a change of a section counts: with the reload that reads it, or with the next start. */
export type ReloadEffect = 'reload' | 'start'

/**
 * Every section that a gateway's file may have. The file is read by this table, so that a section cannot be added without saying
 * what a reload does with it.
 */
export const sections = {
  servers: 'reload',
  mcpServers: 'reload',
  inputs: 'reload',
  listen: 'start',
  auth: 'reload',
  tokens: 'start',
  naming: 'reload',
  search: 'reload',
  profiles: 'reload',
  import: 'reload',
  cluster: 'start',
  status: 'reload',
  page: 'reload',
  telemetry: 'start',
  ...(Object.fromEntries(checkNames.map((name) => [name, 'reload'])) as Readonly<
    Record<(typeof checkNames)[number], 'reload'>
  >), // one for each of the names
} as const satisfies { readonly [name: string]: ReloadEffect }

/** The name of a section. */
export type SectionName = keyof typeof sections

/** Their names. */
export const sectionNames = Object.keys(sections) as readonly SectionName[] // the keys of the table

/** Sections that differ between two configurations. Secrets count by their values, where the section is about callers. */
export function changedSections(
  before: GatewayConfig,
  next: GatewayConfig,
): readonly SectionName[] {
  const [was, is] = [before.operated.sections, next.operated.sections]
  return sectionNames.filter((name) => !isDeepStrictEqual(was[name], is[name]))
}

/** Those of them that need a restart: with profiles, only new ones do. */
export function needingRestart(started: GatewayConfig, next: GatewayConfig): readonly string[] {
  const changed = changedSections(started, next).filter((name) => sections[name] === 'start')
  const profileNames = new Set(Object.keys(started.profiles))
  const added = Object.keys(next.profiles).filter((name) => !profileNames.has(name))
  return [...changed, ...added.map((name) => `profiles.${name}`)]
}
