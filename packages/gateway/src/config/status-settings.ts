import { memberOf, type ConfigNode } from '@parley/foundation/config'

import type { Caller } from '../checks/check.ts'
import { statusUri, type StatusShown } from '../gateway/status.ts'
import type { ConfigReader } from './config-reader.ts'

const words = ['own', 'all'] as const

/** What `gateway://status` tells: `status: own`, `status: all`, or `status: { all: EXPRESSION }` about the caller. */
export async function readStatusShown(
  reader: ConfigReader,
  parent: ConfigNode | undefined,
  key = 'status',
): Promise<StatusShown | undefined> {
  const node = memberOf(parent, 'status')?.node
  if (node === undefined) return undefined
  if (typeof node.value === 'string') return reader.choice(parent, 'status', key, words)
  const fields = reader.object(node, key, ['all'])
  const all = reader.text(fields, 'all', `${key}.all`)
  if (fields === undefined) return undefined
  if (all === undefined) {
    const fix = `Write ${key}: own, ${key}: all, or ${key}: { all: '"operators" in jwt.groups' }.`
    reader.fault(node, key, 'does not say who sees all servers', fix)
    return undefined
  }
  const [{ policyCheck }, { readPolicy }] = await Promise.all([
    import('../checks/policy/policy.ts'),
    import('../checks/policy/read-policy.ts'),
  ])
  const { rules, problems } = readPolicy([all])
  for (const { message, cure } of problems) reader.fault(node, `${key}.all`, message, cure)
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
