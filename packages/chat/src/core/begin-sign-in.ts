import type { Host } from '@parley/host'
import { errorMessage } from '@parley/mcp/json'

/** A sign-in that waits for a person. */
export interface BegunSignIn {
  /** Where they sign in. */
  readonly url: URL
  /** Resolves when it is over: with undefined, or with why it did not work. */
  readonly ended: Promise<string | undefined>
}

/** Begins to sign in to a server. Rejects if the server offers no page for it. */
export async function beginSignIn(
  host: Pick<Host, 'signIn'>,
  server: string,
  signal: AbortSignal,
): Promise<BegunSignIn> {
  let show: (page: URL) => void = () => undefined
  const shown = new Promise<URL>((resolve) => (show = resolve))
  const ended = host
    .signIn(server, { show, signal })
    .then(() => undefined)
    .catch((error: unknown) => errorMessage(error))
  const early = ended.then((error) => {
    throw new Error(error ?? `${server} let you in without a sign-in`)
  })
  return { url: await Promise.race([shown, early]), ended }
}
