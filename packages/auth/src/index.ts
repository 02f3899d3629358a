export { AuthError, isAuthError } from './shared/auth-error.ts'
export type { AuthErrorCode, AuthErrorOptions, AuthStep } from './shared/auth-error.ts'
export { createSafeFetch } from './shared/safe-fetch.ts'
export type { SafeFetchOptions } from './shared/safe-fetch.ts'
