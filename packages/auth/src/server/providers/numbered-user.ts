import type { ProviderClaims } from '../third-party/provider-options.ts'

/** Claims of a user whose id is a number; names and addresses change hands, numbers do not. */
export function numberedUser(
  id: unknown,
  claims: { readonly [name: string]: unknown },
): ProviderClaims | undefined {
  return Number.isSafeInteger(id) ? { ...claims, sub: String(id) } : undefined
}
