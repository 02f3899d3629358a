import type { JsonObject, JsonValue } from '@parley/mcp'

import type { Problem, Warning } from '../protocol/index.ts'
import { aboutSchema, isObject, isUndescribed } from './schema-warnings.ts'

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

/** About four characters of English or JSON are a token; models differ. */
export function estimateTokens(value: unknown): number {
  return Math.ceil((JSON.stringify(value) ?? '').length / 4)
}

/** What is worth a look about a server. */
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
    ...tools.flatMap(aboutTool),
    ...prompts.filter(isUndescribed).map((prompt) => undescribed('prompt', prompt)),
    ...aboutSize(offered),
  ]
  return found.toSorted((one, other) => weights[one.level] - weights[other.level])
}

/** What breaks first, what is only worth knowing last. */
const weights: { readonly [L in Warning['level']]: number } = { error: 0, warning: 1, info: 2 }

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
      message: `There are ${count} of the ${kind} ${JSON.stringify(name)}.`,
      hint: 'Hosts keep one of them, or refuse the server.',
    }))
}

function aboutTool(tool: JsonObject): readonly Warning[] {
  const about = textOf(tool['name'])
  const warnings: Warning[] = []
  const add = (level: Warning['level'], message: string, hint?: string): void => {
    warnings.push({ level, about, message, ...(hint !== undefined && { hint }) })
  }
  if (isUndescribed(tool)) warnings.push(undescribed('tool', tool))
  if (!/^[\w-]{1,64}$/.test(about)) {
    add(
      'warning',
      'Its name has letters or a length that model APIs refuse.',
      'Use at most 64 letters, digits, _ and -; hosts rename it otherwise.',
    )
  }
  for (const found of aboutSchema(tool['inputSchema'])) add(found.level, found.message, found.hint)
  for (const message of contradictions(about, tool['annotations'])) {
    add('warning', message, 'Annotations decide whether people are asked: they should be right.')
  }
  const tokens = estimateTokens(tool)
  if (tokens > 2000) {
    add(
      'warning',
      `Its definition takes about ${tokens} tokens.`,
      'Every conversation pays for it.',
    )
  }
  return warnings
}

const changing =
  /^(?:create|add|insert|write|update|edit|set|put|send|post|delete|remove|drop|destroy|kill|move|rename|execute|run|purge|reset)(?:[_\-A-Z]|$)/
const destroying = /^(?:delete|remove|drop|destroy|kill|purge|wipe|truncate)(?:[_\-A-Z]|$)/
const looking = /^(?:get|list|read|search|find|show|describe|fetch|query|count)(?:[_\-A-Z]|$)/

function contradictions(name: string, annotations: JsonValue | undefined): readonly string[] {
  if (!isObject(annotations)) return []
  const { readOnlyHint, destructiveHint, idempotentHint } = annotations
  const found: string[] = []
  if (readOnlyHint === true && changing.test(name))
    found.push('It says it only reads; its name says otherwise.')
  if (readOnlyHint === false && looking.test(name))
    found.push('It says it changes something; its name says it looks.')
  if (destructiveHint === false && destroying.test(name))
    found.push('It says it destroys nothing; its name says otherwise.')
  if (readOnlyHint === true && destructiveHint === true)
    found.push('It says it only reads, and that it destroys.')
  if (readOnlyHint === true && idempotentHint === false)
    found.push('It says it only reads, and that calling it twice differs.')
  return found
}

function aboutSize({ tools, instructions }: Offered): readonly Warning[] {
  const warnings: Warning[] = []
  const tokens = estimateTokens(tools)
  const about = 'tools'
  if (tools.length > 0) {
    const level = tokens > 10_000 ? 'warning' : 'info'
    warnings.push({
      level,
      about,
      message: `${tools.length} tools take about ${tokens} tokens of every conversation (an estimate).`,
      ...(level === 'warning' && { hint: 'Shorten descriptions, or offer fewer tools at once.' }),
    })
  }
  if (tools.length > 40) {
    warnings.push({
      level: 'warning',
      about,
      message: `Models choose badly among ${tools.length} tools.`,
    })
  }
  if (instructions !== undefined && estimateTokens(instructions) > 2000) {
    warnings.push({
      level: 'warning',
      about: 'instructions',
      message: `The instructions take about ${estimateTokens(instructions)} tokens.`,
    })
  }
  return warnings
}

function undescribed(kind: string, item: JsonObject): Warning {
  return {
    level: kind === 'tool' ? 'warning' : 'info',
    about: textOf(item['name']),
    message: `The ${kind} has no description.`,
    hint: kind === 'tool' ? 'A model only knows when to use it by its description.' : undefined,
  }
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}
