/** What expressions may name. `any` stands for members that only a request decides. */
export type Members = 'any' | 'value' | { readonly [name: string]: Members }

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

/** The variables of a policy with their members. */
export const policyMembers: { readonly [name: string]: Members } = {
  caller: {
    principal: 'value',
    isAnonymous: 'value',
    scopes: 'value',
    keyId: 'value',
    claims: 'any',
  },
  jwt: 'any',
  client: { name: 'value', version: 'value', title: 'value' },
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
}
