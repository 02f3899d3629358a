import { connect } from '@parley/mcp/client'

import type { CommandContext } from '../command.ts'
import { connectOptions } from '../connection.ts'
import { CliError } from '../exit.ts'
import type { CommonFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { createPrinter, flat } from '../output/printer.ts'
import { resolveTarget, type Target } from '../target/target.ts'
import { openTrace } from '../trace-file.ts'
import { createServerList, type ListedServer } from './known-servers.ts'
import { showSignInPage } from './sign-in-page.ts'
import { createSignIn, fromSettings } from './sign-in.ts'
import { grantsOf } from './sign-out.ts'
import type { GrantView } from './token-store.ts'

/** What signing in understands besides the target. */
export interface LoginFlags extends CommonFlags {
  readonly scope?: readonly string[] | undefined
  readonly clientId?: string | undefined
  /** The URL of a client's document. */
  readonly cimd?: string | undefined
  readonly clientSecret?: string | undefined
  readonly open?: boolean | undefined
  readonly login?: boolean | undefined
}

/** The address of a target, which must have one. */
export async function urlOf(
  word: string | undefined,
  flags: CommonFlags,
  context: CommandContext,
): Promise<{ readonly url: string; readonly target: Target }> {
  const target = await resolveTarget(word, flags, context)
  if ('url' in target.entry) return { url: target.entry.url, target }
  throw new CliError('error', `${target.name} is a command: commands have no sign-in`)
}

/** What the command line and the entry say about who signs in. */
export function signInOptions(flags: LoginFlags, target: Target) {
  const { scope, cimd, clientId = cimd, clientSecret } = flags
  return {
    ...fromSettings(target.oauth),
    ...(scope !== undefined && { scopes: scope }),
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
  }
}

/** Signs in, if the server wants it, and says what was given. */
export async function login(
  word: string | undefined,
  flags: LoginFlags,
  context: CommandContext,
): Promise<void> {
  const { io } = context
  const printer = createPrinter(io, flags)
  const { url, target } = await urlOf(word, flags, context)
  const auth = await createSignIn(url, io, {
    ...signInOptions(flags, target),
    open: (page) => showSignInPage(page, io, flags.open !== false),
  })
  await using trace = await openTrace(flags.trace, target, io)
  await using client = await connect(target.entry, {
    // How long a person takes is for the person to say.
    ...connectOptions({ ...target, connectMs: undefined }, flags, printer, io),
    auth,
    ...trace?.hooks,
  })
  await client.ping() // some servers let everybody in, and then do not
  const server = await createServerList(io).get(url)
  if (server === undefined) {
    if (printer.isJson) return printer.json({ url, signedIn: false })
    return printer.line(`${url} does not require sign-in.`)
  }
  const { grants } = await view(server, io)
  if (printer.isJson) return printer.json({ url, signedIn: true, grants })
  printer.line(`Signed in to ${url}.`)
  for (const grant of grants) printer.line(describeGrant(grant))
}

/** Shows what is kept; never a token. */
export async function showStatus(
  word: string | undefined,
  flags: LoginFlags,
  context: CommandContext,
): Promise<void> {
  const { io } = context
  const printer = createPrinter(io, flags)
  const existing = createServerList(io)
  const isNamed = word !== undefined || flags.server !== undefined
  const stored = isNamed ? await existing.get((await urlOf(word, flags, context)).url) : undefined
  const servers = isNamed ? [stored].filter((each) => each !== undefined) : await existing.list()
  const views = await Promise.all(servers.map((server) => view(server, io)))
  if (printer.isJson) printer.json({ servers: views })
  else {
    for (const { url, grants } of views) {
      printer.line(printer.colors.bold(url))
      for (const grant of grants) printer.line(describeGrant(grant))
    }
  }
  if (views.length > 0) return
  if (isNamed) throw new CliError('auth_required', 'not signed in')
  printer.note('You are not signed in to any server.')
}

async function view(
  { url }: ListedServer,
  io: Io,
): Promise<{ readonly url: string; readonly grants: readonly GrantView[] }> {
  return { url, grants: await grantsOf(url, io) }
}

function describeGrant({ issuer, scopes, expiresAt, canRefresh }: GrantView): string {
  const until = expiresAt === undefined ? '' : `, until ${new Date(expiresAt).toISOString()}`
  const after = canRefresh ? ', then refreshed' : ''
  return `  by ${flat(issuer)}: ${flat(scopes?.join(' ')) || 'no scopes'}${until}${after}`
}
