import { revoke, type Revocation, type StoreKey } from '@parley/auth/client'

import type { CommandContext } from '../command.ts'
import { describeFailure } from '../exit.ts'
import { createPrinter, flat } from '../output/printer.ts'
import { createKnownServers } from './known-servers.ts'
import { signInOptions, urlOf, type LoginFlags } from './login.ts'
import { openTokenStore } from './token-store.ts'

/** What signing out understands besides the target. */
export interface LogoutFlags extends LoginFlags {
  readonly revoke?: boolean | undefined
}

/** An issuer that does not answer must not keep anybody signed in. */
const usualMs = 15_000

/** Forgets tokens, and has the issuer take them back where it can. */
export async function logout(
  word: string | undefined,
  flags: LogoutFlags,
  context: CommandContext,
): Promise<void> {
  const { io } = context
  const printer = createPrinter(io, flags)
  const { url, target } = await urlOf(word, flags, context)
  const known = createKnownServers(io)
  const server = await known.get(url)
  const store = await openTokenStore(io)
  const signal = AbortSignal.any([io.signal, AbortSignal.timeout(flags.timeout ?? usualMs)])
  const options = { ...signInOptions(flags, target), store, signal }

  async function end(key: StoreKey): Promise<Revocation> {
    if (key.kind !== 'grant' || flags.revoke === false) {
      await store.delete(key)
      return { kind: 'absent' }
    }
    try {
      return await revoke(key, options)
    } catch (error) {
      io.signal.throwIfAborted()
      await store.delete(key)
      return { kind: 'failed', issuer: key.issuer, why: describeFailure(error).message }
    }
  }

  const revocations: Revocation[] = []
  for (const key of server?.keys ?? []) revocations.push(await end(key))
  await known.remove(url)
  if (printer.isJson) return printer.json({ url, wasSignedIn: server !== undefined, revocations })
  if (server === undefined) return printer.line(`You were not signed in to ${url}.`)
  printer.line(`Signed out of ${url}.`)
  for (const revocation of revocations) {
    const said = describeRevocation(revocation)
    if (said !== undefined) printer.note(said)
  }
}

function describeRevocation(revocation: Revocation): string | undefined {
  switch (revocation.kind) {
    case 'absent':
      return undefined
    case 'revoked':
      return `${flat(revocation.issuer)} revoked the tokens.`
    case 'unsupported':
      return `${flat(revocation.issuer)} does not support revoking tokens: a copy stays valid until it expires.`
    case 'failed':
      return `${flat(revocation.issuer)} did not revoke the tokens (${flat(revocation.why)}): a copy stays valid until it expires.`
  }
}
