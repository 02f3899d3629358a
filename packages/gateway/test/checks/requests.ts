import type { Caller, CheckedRequest, Subject } from '@parley/gateway'
import type { JsonObject } from '@parley/mcp'

export function callerOf(given: Partial<Caller> = {}): Caller {
  return { principal: 'ada', isAnonymous: false, claims: {}, scopes: [], ...given }
}

export function toolOf(name: string, given: Partial<Subject> = {}): Subject {
  return {
    kind: 'tool',
    upstream: 'git',
    name,
    exposedName: `git__${name}`,
    definition: { name, inputSchema: { type: 'object' } },
    ...given,
  }
}

export function callOf(
  subject: Subject,
  given: JsonObject = {},
  caller: Caller = callerOf(),
): CheckedRequest {
  return {
    caller,
    method: 'tools/call',
    subject,
    arguments: given,
    signal: new AbortController().signal,
  }
}
