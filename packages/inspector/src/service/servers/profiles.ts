import type { JsonObject } from '@parley/mcp'

import type { HostProfile, QuestionView } from '../../protocol/index.ts'
import { hosts, type HostClaim, type HostFeature } from './host-claims.ts'
import type { Offered } from './warnings.ts'

type Used = { readonly [F in HostFeature]: string | undefined }

/** What each host would not show or do with a server that offers this and has asked that. */
export function describeProfiles(
  offered: Offered,
  asked: ReadonlySet<QuestionView['kind']>,
  server: string,
): readonly HostProfile[] {
  const used: Used = {
    prompts: offered.prompts.length > 0 ? count(offered.prompts.length, 'prompt') : undefined,
    resources: countResources(offered),
    sampling: asked.has('sampling') ? 'questions to the model, which it has asked here' : undefined,
    elicitation: asked.has('elicitation')
      ? 'questions to the user, which it has asked here'
      : undefined,
    roots: asked.has('roots') ? 'roots, which it has asked for here' : undefined,
  }
  return hosts.map(({ host, claims }) => ({
    host,
    loses: claims.flatMap((claim) =>
      lossesBy(claim, offered.tools, used, server).map((what) => ({ what, ...claim.source })),
    ),
    sources: [...new Map(claims.map(({ source }) => [source.url, source])).values()],
  }))
}

function lossesBy(
  claim: HostClaim,
  tools: readonly JsonObject[],
  used: Used,
  server: string,
): readonly string[] {
  const names = tools.map(nameOf)
  switch (claim.about) {
    case 'features': {
      const how = claim.says === 'no' ? '' : ' (it does not say that it supports these)'
      return claim.lacks.flatMap((feature) => (used[feature] ? [`${used[feature]}${how}`] : []))
    }
    case 'tools': {
      const more = names.length - claim.most
      return more > 0 ? [`${count(more, 'tool')} beyond ${claim.most} ${claim.of}`] : []
    }
    case 'names': {
      const rejected = names.filter((name) => !claim.isUsed(name, server))
      return someOf(rejected, (which) => `the names of ${which}: it takes ${claim.rule}`)
    }
    case 'schemas': {
      const found = tools.filter(({ inputSchema }) => hasKeyword(inputSchema, claim))
      const which = found.map(nameOf)
      const at = claim.at === 'root' ? ' at the root' : ''
      const why = `${claim.keywords.join(', ')}${at} of the schema`
      return someOf(which, (text) => `${text}, ${claim.becomes}: ${why}`)
    }
  }
}

function nameOf({ name }: JsonObject): string {
  return typeof name === 'string' ? name : ''
}

/** A member of that name is no keyword where properties are named, so only schemas are looked at. */
function hasKeyword(
  schema: unknown,
  claim: Extract<HostClaim, { readonly about: 'schemas' }>,
): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  if (!Array.isArray(schema) && claim.keywords.some((keyword) => keyword in schema)) return true
  if (claim.at === 'root') return false
  return Object.entries(schema).some(([name, member]) => {
    const isNamed = ['properties', '$defs', 'definitions', 'patternProperties'].includes(name)
    const inner: readonly unknown[] = isNamed ? Object.values(Object(member)) : [member]
    return (
      name !== 'default' &&
      name !== 'examples' &&
      inner.some((candidate) => hasKeyword(candidate, claim))
    )
  })
}

function someOf(names: readonly string[], say: (which: string) => string): readonly string[] {
  if (names.length === 0) return []
  const shown = names.slice(0, 3).join(', ')
  return [say(`${count(names.length, 'tool')} (${shown}${names.length > 3 ? ', …' : ''})`)]
}

function countResources({ resources, templates }: Offered): string | undefined {
  const all = resources.length + templates.length
  return all === 0 ? undefined : `${all} resources and templates`
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
