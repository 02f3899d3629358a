import { isAbsolute, resolve } from 'node:path'

import { isInside } from '../paths/containment.ts'
import { GitError } from './git-error.ts'
import type { Repository } from './repository.ts'
import { requirePlain } from './revisions.ts'
import { unsafeForTransfer } from './transfer-settings.ts'

/** A place that can be reached, taken apart. */
interface Remote {
  readonly protocol: string
  /** With the port and without a user. */
  readonly host: string
  readonly path: string
}

/** What may be reached. */
export interface RemoteRules {
  /** What addresses begin with, part by part, such as `https://example.com/team/`. */
  readonly allowed: readonly string[]
  /** What to do about an address that may not be reached. */
  readonly ifRefused?: string | undefined
}

/** A transfer that is allowed: give `protocols` to the command that makes it. */
export interface Transfer {
  readonly urls: readonly string[]
  readonly protocols: readonly string[]
}

/**
 * Where a remote of a repository leads, if all its addresses may be reached and the repository has no settings that
 * change what a transfer does. Throws a `GitError` otherwise.
 */
export async function findRemote(
  repository: Repository,
  name: string,
  direction: 'fetch' | 'push',
  rules: RemoteRules,
): Promise<Transfer> {
  requirePlain(name, 'remote')
  const unsafe = unsafeForTransfer(repository.settings.keys())
  if (unsafe !== undefined) {
    throw new GitError(
      'refused',
      `This repository sets ${unsafe}, which would change what a transfer does. Remove it first.`,
    )
  }
  const { text: list } = await repository.run(['remote'])
  const known = list.split('\n').filter((one) => one !== '')
  if (!known.includes(name)) {
    const others = known.length === 0 ? 'This repository has none.' : `Known: ${known.join(', ')}.`
    throw new GitError('refused', `There is no remote ${name}. ${others}`)
  }
  // With what url.*.insteadOf makes of them.
  const push = direction === 'push' ? ['--push'] : []
  const { text } = await repository.run(['remote', 'get-url', '--all', ...push, name])
  return requireRemotes(
    text.split('\n').filter((url) => url !== ''),
    rules,
  )
}

/** Throws a `GitError` unless every address may be reached. */
export function requireRemotes(
  urls: readonly string[],
  { allowed, ifRefused = 'It begins with none of the allowed ones.' }: RemoteRules,
): Transfer {
  const parsed = urls.map((url) => {
    const remote = parseRemote(url)
    const isAllowed = remote && allowed.some((one) => isBelow(parseRemote(one), remote))
    if (remote && isAllowed) return remote
    throw new GitError('refused', `${url} may not be reached. ${ifRefused}`)
  })
  return { urls, protocols: [...new Set(parsed.map(({ protocol }) => protocol))] }
}

/** Undefined for what is no address, or has a password in it. */
export function parseRemote(url: string): Remote | undefined {
  if (isAbsolute(url)) return { protocol: 'file', host: '', path: resolve(url) }
  const short = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)([\w~/].*)$/.exec(url)
  if (short) return { protocol: 'ssh', host: short[1] ?? '', path: resolve('/', short[2] ?? '') }
  if (!URL.canParse(url)) return undefined
  const { protocol, host, pathname, password } = new URL(url)
  const known = ['https:', 'http:', 'ssh:', 'file:'].includes(protocol)
  if (!known || password !== '' || /%2f|%5c/i.test(pathname)) return undefined
  return { protocol: protocol.slice(0, -1), host, path: resolve('/', decodeURIComponent(pathname)) }
}

function isBelow(allowed: Remote | undefined, remote: Remote): boolean {
  if (allowed?.protocol !== remote.protocol || allowed.host !== remote.host) return false
  return isInside(remote.path, allowed.path)
}
