import { isInside } from '../paths/containment.ts'
import { GitError } from './git-error.ts'
import { isBelow, parseAllowed, parseRemote, type RemoteAddress } from './remote-address.ts'
import type { Repository } from './repository.ts'
import { requirePlain } from './revisions.ts'
import { unsafeForTransfer } from './settings/transfer-settings.ts'
import { realOrParent } from './work-tree-path.ts'

/** What may be reached. */
export interface RemoteRules {
  /** What addresses begin with, part by part, such as `https://example.com/team/`. */
  readonly allowed: readonly string[]
  /** What to do about an address that may not be reached. */
  readonly ifRefused?: string | undefined
}

/** A transfer that is allowed: give `protocols` to the command that makes it. */
export interface Transfer {
  /** The addresses of the remote. */
  readonly urls: readonly string[]
  /** The protocols that these need. */
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
  const names = list.split('\n').filter((line) => line !== '')
  if (!names.includes(name)) {
    const others =
      names.length === 0 ? 'This repository has no remotes.' : `Known: ${names.join(', ')}.`
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
export async function requireRemotes(
  urls: readonly string[],
  { allowed, ifRefused = 'It does not begin with an allowed address.' }: RemoteRules,
): Promise<Transfer> {
  const starts = allowed.flatMap((item) => parseAllowed(item) ?? [])
  const protocols = new Set<string>()
  for (const url of urls) {
    const address = parseRemote(url)
    if (!address) throw unreachable(url, notPlain)
    if (!(await isAllowed(address, starts))) throw unreachable(url, ifRefused)
    protocols.add(address.protocol)
  }
  return { urls, protocols: [...protocols] }
}

const notPlain =
  'It is not a plain address. Leave out passwords, spaces, backslashes, .., ?, #, capital letters in the host, and default ports.'

async function isAllowed(
  address: RemoteAddress,
  starts: readonly RemoteAddress[],
): Promise<boolean> {
  const above = starts.filter((start) => isBelow(address, start))
  if (address.protocol !== 'file') return above.length > 0
  // Git tries these names, and follows links.
  const tried = ['', '.git', '/.git', '.git/.git'].map((end) => realOrParent(address.path + end))
  const paths = await Promise.all(tried)
  const folders = await Promise.all(above.map(({ path }) => realOrParent(path)))
  return folders.some((folder) => paths.every((candidate) => isInside(candidate, folder)))
}

function unreachable(url: string, why: string): GitError {
  const shown = url.replace(/:\/\/[^@]*:.*@/s, '://…@') // a password is nobody's business
  return new GitError('refused', `${shown} is not allowed. ${why}`)
}
