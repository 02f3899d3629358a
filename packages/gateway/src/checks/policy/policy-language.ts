import type { Language } from '@parley/foundation/rules'

const entry = { name: 'value', exposedName: 'value', upstream: 'value' } as const

const hints = {
  readOnlyHint: 'value',
  destructiveHint: 'value',
  idempotentHint: 'value',
  openWorldHint: 'value',
  readOnly: 'value',
  destructive: 'value',
  idempotent: 'value',
  openWorld: 'value',
} as const

/** The language of a gateway's rules: what hosts have too, the caller, and the request. */
export const policyLanguage: Language = {
  example: 'tool.readOnly',
  vocabulary: {
    caller: {
      principal: 'value',
      isAnonymous: 'value',
      scopes: 'value',
      keyId: 'value',
      claims: 'any',
    },
    jwt: 'any',
    client: { name: 'value', version: 'value', title: 'value' },
    tool: {
      name: 'value',
      readOnly: 'value',
      destructive: 'value',
      idempotent: 'value',
      openWorld: 'value',
    },
    server: { name: 'value' },
    mcp: {
      method: 'value',
      kind: 'value',
      tool: { ...entry, title: 'value', annotations: hints },
      prompt: { ...entry, title: 'value' },
      resource: {
        ...entry,
        title: 'value',
        uri: 'value',
        normalizedUri: 'value',
        mimeType: 'value',
      },
    },
    args: 'any',
    upstream: 'value',
    time: 'value',
  },
  types: { upstream: 'string', time: 'google.protobuf.Timestamp' },
}
