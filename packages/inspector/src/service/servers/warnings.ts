import type { JsonObject, JsonValue } from '@parley/mcp'

import { estimateTokens, isUndescribed, type Finding } from '../../lint/finding.ts'
import { lintTool } from '../../lint/lint-tool.ts'
import type { Problem, Warning } from '../../protocol/index.ts'

/** What a server offers, as it listed it. */
export interface Offered {
  /** What is wrong with the lists themselves. */
  readonly problems?: readonly Problem[] | undefined
  readonly tools: readonly JsonObject[]
  readonly resources: readonly JsonObject[]
  readonly templates: readonly JsonObject[]
  readonly prompts: readonly JsonObject[]
  readonly instructions?: string | undefined
}

/** How many names a remark lists; it counts all. */
const maxNames = 100

/** What is worth a look about a server. The same remark on many is one, with their names. */
export function findWarnings(offered: Offered): readonly Warning[] {
  const { tools, resources, templates, prompts } = offered
  const found: readonly Warning[] = [
    ...(offered.problems ?? []).map(({ message, hint }) => ({
      level: 'error' as const,
      about: 'lists',
      message,
      ...(hint !== undefined && { hint }),
    })),
    ...duplicates('tool', tools, 'name'),
    ...duplicates('prompt', prompts, 'name'),
    ...duplicates('resource', resources, 'uri'),
    ...duplicates('template', templates, 'uriTemplate'),
    ...tools.flatMap((tool) => lintTool(tool).map((finding) => ({ ...finding, ...named(tool) }))),
    ...prompts.filter(isUndescribed).map((prompt) => ({
      level: 'info' as const,
      about: textOf(prompt['name']),
      message: 'The prompt has no description.',
    })),
    ...aboutSize(offered),
  ]
  return group(found).toSorted((a, b) => weights[a.level] - weights[b.level])
}

/** What breaks first, what is only worth knowing last. */
const weights: { readonly [L in Warning['level']]: number } = { error: 0, warning: 1, info: 2 }

function named(tool: JsonObject): Pick<Warning, 'about' | 'kind'> {
  return { about: textOf(tool['name']), kind: 'tool' }
}

/** Equal remarks as one; those that follow the first are named in it. */
function group(found: readonly Warning[]): readonly Warning[] {
  const groups = new Map<string, { first: Warning; others: string[]; count: number }>()
  for (const warning of found) {
    const key = `${warning.level} ${warning.message}`
    const warnings = groups.get(key)
    if (warnings === undefined) groups.set(key, { first: warning, others: [], count: 1 })
    else if (warnings.first.about !== warning.about && warnings.others.at(-1) !== warning.about) {
      warnings.count += 1
      if (warnings.others.length < maxNames) warnings.others.push(warning.about)
    }
  }
  return [...groups.values()].map(({ first, others, count }) =>
    count === 1 ? first : { ...first, others, count },
  )
}

function duplicates(
  kind: string,
  items: readonly JsonObject[],
  member: string,
): readonly Warning[] {
  const seen = new Map<string, number>()
  for (const item of items) {
    const name = textOf(item[member])
    seen.set(name, (seen.get(name) ?? 0) + 1)
  }
  return [...seen]
    .filter(([, count]) => count > 1)
    .map(([name, count]) => ({
      level: 'error',
      about: name,
      message: `The ${kind} ${JSON.stringify(name)} is listed ${count} times.`,
      hint: 'Hosts keep one of them, or refuse the server.',
    }))
}

/** Only where it is much: the overview has the figure itself. */
function aboutSize({ tools, instructions }: Offered): readonly Warning[] {
  const warnings: (Finding & { readonly about: string })[] = []
  const tokens = estimateTokens(tools)
  const about = 'tools'
  if (tokens > 10_000) {
    warnings.push({
      level: 'warning',
      about,
      message: `${tools.length} tools take about ${tokens.toLocaleString('en')} tokens of every conversation (an estimate).`,
      hint: 'Shorten descriptions, or offer fewer tools at once.',
    })
  }
  if (tools.length > 40) {
    warnings.push({
      level: 'warning',
      about,
      message: `Models choose badly among ${tools.length} tools.`,
      hint: 'Offer fewer at once, or split the server.',
    })
  }
  const words = instructions === undefined ? 0 : estimateTokens(instructions)
  if (words > 2000) {
    warnings.push({
      level: 'warning',
      about: 'instructions',
      message: `The instructions take about ${words.toLocaleString('en')} tokens.`,
      hint: 'Say only what a model must know before it calls anything.',
    })
  }
  return warnings
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}
