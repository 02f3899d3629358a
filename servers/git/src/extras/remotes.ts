import { isAbsolute, resolve } from 'node:path'

import { ToolError } from '@parley/mcp'
import { requirePlain, unsafeForTransfer, type Repository } from '@parley/server-kit/git'
import { isInside } from '@parley/server-kit/paths'

/** A place that can be reached, taken apart. */
interface Remote {
  readonly protocol: string
  /** With the port and without a user. */
  readonly host: string
  readonly path: string
}

/** What may be done with one. */
export interface Transfer {
  readonly urls: readonly string[]
  readonly protocols: readonly string[]
}

/** Where a remote of a repository leads, if all of it is allowed. */
export async function remoteOf(
  repository: Repository,
  name: string,
  direction: 'fetch' | 'push',
  allowed: readonly string[],
): Promise<Transfer> {
  requirePlain(name, 'remote')
  const unsafe = unsafeForTransfer(repository.settings.keys())
  if (unsafe !== undefined) {
    throw new ToolError(
      `This repository sets ${unsafe}, which would change what a transfer does. Remove it first.`,
    )
  }
  const { text: known } = await repository.run(['remote'])
  if (!known.split('\n').includes(name)) throw new ToolError(`There is no remote ${name}.`)
  // With what url.*.insteadOf makes of them.
  const push = direction === 'push' ? ['--push'] : []
  const { text } = await repository.run(['remote', 'get-url', '--all', ...push, name])
  return requireAllowed(
    text.split('\n').filter((url) => url !== ''),
    allowed,
  )
}

/** Throws unless every address begins with what was allowed. */
export function requireAllowed(urls: readonly string[], allowed: readonly string[]): Transfer {
  const parsed = urls.map((url) => {
    const remote = parseRemote(url)
    const isAllowed = remote && allowed.some((one) => isBelow(parseRemote(one), remote))
    if (remote && isAllowed) return remote
    throw new ToolError(
      `${url} may not be reached. Start the server with --remote and what it begins with.`,
    )
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
