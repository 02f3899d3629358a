import { type FetchError, type GuardedFetch, isFetchError } from '@parley/server-kit/fetch'

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
