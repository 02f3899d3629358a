import { AuthError } from '@parley/auth'

/** The `AuthError` a promise fails with, also where the client wraps it. */
export async function authErrorOf(promise: Promise<unknown>): Promise<AuthError> {
  const error: unknown = await promise.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  )
  const inner = error instanceof Error && error.cause instanceof AuthError ? error.cause : error
  if (inner instanceof AuthError) return inner
  throw error
}
