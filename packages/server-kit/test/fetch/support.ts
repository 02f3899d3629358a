import { isFetchError, type FetchError } from '../../src/fetch/fetch-error.ts'
import type { GuardedFetch } from '../../src/fetch/guarded-fetch.ts'

/** A resolver that knows these names only; each answer is used once, the last one for ever. */
export function scriptedLookup(names: Record<string, readonly (readonly string[])[]>) {
  const asked: string[] = []
  return {
    asked,
    lookup(
      hostname: string,
      _: object,
      done: (error: Error | null, addresses: { address: string; family: number }[]) => void,
    ) {
      const answers = names[hostname]
      const turn = asked.filter((name) => name === hostname).length
      asked.push(hostname)
      const addresses = answers?.[Math.min(turn, answers.length - 1)]
      if (addresses === undefined) {
        done(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), [])
        return
      }
      const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
      done(null, found)
    },
  }
}

/** The error a request ends with, while it is asked or while its body is read. */
export async function failureOf(fetching: ReturnType<GuardedFetch>): Promise<FetchError> {
  const error: unknown = await fetching
    .then((fetched) => fetched.bytes())
    .then(
      () => new Error('it was fetched'),
      (reason: unknown) => reason,
    )
  if (!isFetchError(error)) throw error
  return error
}

/** The body as text. */
export async function textOf(fetching: ReturnType<GuardedFetch>): Promise<string> {
  return new TextDecoder().decode(await (await fetching).bytes())
}
