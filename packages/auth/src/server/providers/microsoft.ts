import type { OpenIdProvider } from '../third-party/openid-provider.ts'
import type { KnownProviderOptions } from '../third-party/provider-options.ts'
import { givenOptions } from './given-options.ts'

/**
 * Sign-in with Microsoft Entra ID. People are known by their tenant and `sub`, never by their address, which an
 * administrator of any tenant can choose.
 */
export function microsoft(
  options: KnownProviderOptions & {
    /** A tenant by its id or domain, or `organizations`, `consumers`, `common`. */
    readonly tenant: string
    /** Where there are several: ids of those whose people may sign in. @defaultValue all */
    readonly tenants?: readonly string[] | undefined
    /** Of a national cloud. @defaultValue https://login.microsoftonline.com */
    readonly authority?: string | undefined
  },
): OpenIdProvider {
  const { tenant, tenants, authority = 'https://login.microsoftonline.com', ...rest } = options
  const isId = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(tenant)
  return {
    id: 'microsoft',
    name: 'Microsoft',
    issuer: `${authority}/${tenant}/v2.0`,
    // The metadata of a tenant by another name than its id names the id, or no tenant at all.
    ...(!isId && { issuerTemplate: `${authority}/{tenantid}/v2.0` }),
    scopes: ['openid', 'profile', 'email', 'offline_access', 'User.Read'],
    prompt: 'omit', // would ask each time, and where only administrators may agree, nobody could
    api: ['https://graph.microsoft.com'],
    accepts: ({ tid }) => tenants === undefined || tenants.includes(String(tid)),
    ...givenOptions(rest),
  }
}
