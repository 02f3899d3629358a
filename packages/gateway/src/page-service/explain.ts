import type { Caller, Subject } from '../checks/check.ts'
import type { Policy } from '../checks/policy/policy.ts'
import type { GatewayInsides } from '../gateway/insides.ts'
import { exposedName } from '../naming/naming.ts'
import type { PolicyQuery, Methods } from './protocol.ts'

const methods = { tool: 'tools/call', prompt: 'prompts/get', resource: 'resources/read' } as const
const lists = { tool: 'tools', prompt: 'prompts', resource: 'resources' } as const

/** Evaluates the policy for a request, rule by rule: like `parley gateway explain`, with the servers' real features. */
export function explainRequest(
  { cores: { whole: core } }: GatewayInsides,
  policy: Policy,
  query: PolicyQuery,
): Methods['policy/explain']['result'] {
  const { upstream, kind, name, claims, scopes } = query
  const item = [...core.catalogue().offered[lists[kind]].values()].find(
    ({ subject }) =>
      subject.upstream === upstream && (subject.name === name || subject.exposedName === name),
  )
  const subject: Subject = item?.subject ?? {
    kind,
    upstream,
    name,
    exposedName: kind === 'resource' ? name : exposedName(core.naming, upstream, name),
    definition: { name },
  }
  const isAnonymous = query.caller === undefined && Object.keys(claims).length === 0
  const caller: Caller = {
    principal: query.caller ?? (isAnonymous ? 'anonymous' : 'somebody'),
    isAnonymous,
    claims,
    scopes,
  }
  return {
    call: policy.explain({ caller, method: methods[kind], subject, arguments: query.arguments }),
    list: policy.explainListing(caller, subject),
    isListed: item !== undefined,
    rules: policy.rules,
  }
}
