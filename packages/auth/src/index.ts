export { AuthError, isAuthError } from './shared/auth-error.ts'
export type { AuthErrorCode, AuthErrorOptions, AuthStep } from './shared/auth-error.ts'
