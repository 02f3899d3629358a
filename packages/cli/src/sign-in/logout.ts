import type { CommandContext } from '../command.ts'
import { createPrinter } from '../output/printer.ts'
import { signInOptions, urlOf, type LoginFlags } from './login.ts'
import { describeRevocation, signOutOfServers } from './sign-out.ts'

/** What signing out understands besides the target. */
export interface LogoutFlags extends LoginFlags {
  readonly revoke?: boolean | undefined
}

/** Forgets tokens, and has the issuer take them back where it can. */
export async function logout(
  word: string | undefined,
  flags: LogoutFlags,
  context: CommandContext,
): Promise<void> {
  const { io } = context
  const printer = createPrinter(io, flags)
  const { url, target } = await urlOf(word, flags, context)
  const revocations = await signOutOfServers(url, io, {
    client: signInOptions(flags, target),
    isRevoked: flags.revoke !== false,
    timeoutMs: flags.timeout,
    signal: io.signal,
  })
  if (printer.isJson) {
    const wasSignedIn = revocations !== undefined
    return printer.json({ url, wasSignedIn, revocations: revocations ?? [] })
  }
  if (revocations === undefined) return printer.line(`You were not signed in to ${url}.`)
  printer.line(`Signed out of ${url}.`)
  for (const revocation of revocations) {
    const outcome = describeRevocation(revocation)
    if (outcome !== undefined) printer.note(outcome)
  }
}
