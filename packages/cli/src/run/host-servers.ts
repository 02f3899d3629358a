import { relative } from 'node:path'

import type { ConfigEntry, ConfigProblem } from '@parley/foundation/config'
import { ServerOffError, type HostServer } from '@parley/host'

import type { CommandContext } from '../command.ts'
import { authFor, eraOf } from '../connection.ts'
import { CliError } from '../exit.ts'
import type { CommonFlags } from '../flags.ts'
import { loadFor, toPendingTarget } from '../target/configured-target.ts'
import { rootsOf } from '../target/roots.ts'
import type { Target } from '../target/target.ts'

/**
 * The servers of the configuration, for a host. Variables are looked up when a server is first needed, and what is wrong
 * with one is that one's reason. What a project's file starts has to be approved first.
 */
export async function hostServers(
  flags: CommonFlags,
  context: CommandContext,
): Promise<readonly HostServer[]> {
  const { io } = context
  const { entries, problems } = await loadFor(flags, io)
  const [broken] = problems.filter(({ level, server }) => level === 'error' && server === undefined)
  if (broken !== undefined && flags.config !== undefined) throw unusable(broken, io.cwd)
  const byName = new Map<string, HostServer>()
  for (const { server, level, key, message, fix } of problems) {
    if (server === undefined || level !== 'error') continue
    const off = `${key ?? server} ${message}. ${fix ?? ''}`.trim()
    byName.set(server, { name: server, target: '', off })
  }
  // A project's file must not put its own command under a name that the user knows.
  const ownLast = entries.toSorted((a, b) => Number(isUsers(a)) - Number(isUsers(b)))
  for (const entry of ownLast) byName.set(entry.name, hostServer(entry, flags, context))
  return [...byName.values()]
}

function isUsers({ source }: ConfigEntry): boolean {
  return source.scope !== 'project'
}

function hostServer(entry: ConfigEntry, flags: CommonFlags, context: CommandContext): HostServer {
  const { io } = context
  const { settings, source } = entry
  const { era, connectMs, requestMs, tags } = settings
  let found: Target | undefined

  async function target() {
    const { target: resolved, pending } = await toPendingTarget(entry, flags, io)
    if (pending !== undefined) {
      const file = relative(io.cwd, source.file)
      const what =
        pending.disclosure.kind === 'starts' ? 'starts a program' : 'sends values of yours'
      throw new ServerOffError(
        `not started: ${file} came with the project, and ${entry.name} ${what}. --trust approves it.`,
      )
    }
    found = resolved
    return resolved.entry
  }

  return {
    name: entry.name,
    target,
    ...(settings.isDisabled && { off: 'disabled in its configuration' }),
    auth: async (url) => authFor(found ?? { entry: { url } }, context),
    connect: {
      era: eraOf(era),
      timeouts: { connectMs, idleMs: requestMs },
    },
    ...(settings.roots.length > 0 && {
      roots: rootsOf({ roots: settings.roots }, flags, entry.folder),
    }),
    isTrusted: tags.includes('trusted'),
    isPrivate: tags.includes('private'),
  }
}

function unusable({ file, line, message, fix }: ConfigProblem, cwd: string): CliError {
  const place = `${relative(cwd, file) || file}${line === undefined ? '' : `:${line}`}`
  return new CliError('error', `${place}: ${message}`, { hint: fix })
}
