import type { Check } from '../checks/check.ts'
import type { GatewayOptions } from '../gateway/gateway.ts'
import { UsageError } from '../usage-error.ts'
import type { GatewayConfig } from './gateway-config.ts'
import { profileCheck } from './profile-check.ts'

/** Returns the options of a gateway with this configuration: all of it, or a profile. Throws `UsageError`. */
export function gatewayOptions(config: GatewayConfig, profile?: string): GatewayOptions {
  const { servers, naming, search, listen, profiles, checks, auth, status } = config
  const { tokens, signInClient } = config
  const where = { ...listen, auth, tokens, signInClient }
  if (profile === undefined) {
    const parts = Object.entries(profiles).map(([name, each]) => {
      const { tools, ...rest } = each
      return [name, { ...rest, ...(tools && { checks: [profileCheck(name, tools)] }) }] as const
    })
    return {
      servers,
      naming,
      search,
      checks,
      status,
      profiles: Object.fromEntries(parts),
      ...where,
    }
  }
  const chosen = Object.hasOwn(profiles, profile) ? profiles[profile] : undefined
  if (chosen === undefined) {
    const existing = Object.keys(profiles).join(', ')
    const fix = existing === '' ? 'the file has no profiles' : `use ${existing}`
    throw new UsageError(`there is no profile ${JSON.stringify(profile)}: ${fix}`)
  }
  const { servers: names = Object.keys(servers), tools } = chosen
  const own: readonly Check[] = tools ? [profileCheck(profile, tools)] : []
  const selected = Object.entries(servers).filter(([name]) => names.includes(name))
  return {
    servers: Object.fromEntries(selected),
    naming: chosen.naming ?? naming,
    search: chosen.search ?? search,
    checks: [...own, ...checks],
    status: chosen.status ?? status,
    ...where,
  }
}
