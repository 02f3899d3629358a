import { hostname } from 'node:os'
import process from 'node:process'

import { McpError } from '@parley/mcp'

import type { LiveNode } from '../store/cluster-store.ts'

/** Describes a process beside its lease: machine, process, and a check value for each of its secrets. */
export function describeNode(checks: readonly string[]): string {
  return [hostname(), process.pid, checks.join(',')].join(' ')
}

/**
 * Throws if other processes are alive and none of them knows a secret of this one: neither could open what the other has
 * sealed. While secrets are being replaced it is enough to have one in common.
 */
export function requireSharedSecret(
  node: string,
  checks: readonly string[],
  alive: readonly LiveNode[],
): void {
  const others = alive.filter((other) => other.node !== node)
  if (others.length === 0 || others.some(({ info }) => shares(info, checks))) return
  const names = others.slice(0, 3).map(({ info }) => info.split(' ', 2).join(' '))
  const more = others.length > names.length ? ', …' : ''
  throw new McpError(
    'invalid_definition',
    `the secret of this process is unknown to the ${others.length} of the cluster that run already (${names.join(', ')}${more}): ` +
      'give the same secret to all. While it is replaced, a process needs the old one beside the new one. ' +
      'A process that was killed counts until its lease has run out.',
    { details: { feature: 'secret' } },
  )
}

function shares(info: string, checks: readonly string[]): boolean {
  const theirs = info.split(' ')[2]?.split(',') ?? []
  return theirs.some((check) => checks.includes(check))
}
