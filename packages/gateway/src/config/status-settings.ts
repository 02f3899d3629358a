import type { SettingsPath } from '@parley/foundation/settings'

import type { Caller } from '../checks/check.ts'
import { statusUri, type StatusShown } from '../gateway/status.ts'
import type { ConfigFaults } from './config-faults.ts'
import type { SectionValue } from './gateway-file.ts'

/** What `gateway://status` shows: `status: own`, `status: all`, or `status: { all: EXPRESSION }` about the caller. */
export async function statusShown(
  status: SectionValue<'status'> | undefined,
  path: SettingsPath,
  faults: ConfigFaults,
): Promise<StatusShown | undefined> {
  if (status === undefined || typeof status === 'string') return status
  const [{ policyCheck }, { readPolicy }] = await Promise.all([
    import('../checks/policy/policy.ts'),
    import('../checks/policy/read-policy.ts'),
  ])
  const { rules, problems } = readPolicy([status.all])
  for (const { message, fix } of problems) faults.fault([...path, 'all'], message, fix)
  if (problems.length > 0) return undefined
  const policy = policyCheck({ rules })
  return (caller: Caller) =>
    policy.explain({ caller, method: 'resources/read', subject: statusSubject, arguments: {} })
      .decision === 'allow'
}

const statusSubject = {
  kind: 'resource',
  upstream: '',
  name: statusUri,
  exposedName: statusUri,
} as const
