import type { Prompt, Resource, ResourceTemplate, Tool } from '@parley/mcp'
import { isRpcError } from '@parley/mcp'
import type { Client } from '@parley/mcp/client'

import { hintFor } from '../did-you-mean.ts'
import { CliError } from '../exit.ts'

/** What can be described. */
export const describedKinds = ['tool', 'prompt', 'resource', 'template'] as const
export type DescribedKind = (typeof describedKinds)[number]

/** One thing that a server offers. */
export type Described =
  | { readonly kind: 'tool'; readonly value: Tool }
  | { readonly kind: 'prompt'; readonly value: Prompt }
  | { readonly kind: 'resource'; readonly value: Resource }
  | { readonly kind: 'template'; readonly value: ResourceTemplate }

/** The first of that name, or URI, among tools, prompts, resources and templates; or of one kind only. */
export async function findDescribed(
  name: string,
  kind: DescribedKind | undefined,
  client: Client,
  signal: AbortSignal,
): Promise<Described> {
  const names: string[] = []
  for (const each of kind === undefined ? describedKinds : [kind]) {
    for (const found of await offered(each, client, signal)) {
      const own = namesOf(found)
      if (own.includes(name)) return found
      names.push(...own.slice(0, 1))
    }
  }
  throw new CliError(
    'error',
    `the server has no ${kind ?? 'tool, prompt or resource'} ${JSON.stringify(name)}`,
    {
      hint: hintFor(name, names),
    },
  )
}

/** What it is asked for by first. */
function namesOf({ value }: Described): readonly string[] {
  if ('uri' in value) return [value.uri, value.name]
  return 'uriTemplate' in value ? [value.uriTemplate, value.name] : [value.name]
}

async function offered(
  kind: DescribedKind,
  client: Client,
  signal: AbortSignal,
): Promise<readonly Described[]> {
  const { capabilities } = client.server
  const isOffered = {
    tool: capabilities.tools,
    prompt: capabilities.prompts,
    resource: capabilities.resources,
    template: capabilities.resources,
  }
  if (isOffered[kind] === undefined) return []
  try {
    switch (kind) {
      case 'tool':
        return (await client.listTools({ signal }).toArray()).map((value) => ({ kind, value }))
      case 'prompt':
        return (await client.listPrompts({ signal }).toArray()).map((value) => ({ kind, value }))
      case 'resource':
        return (await client.listResources({ signal }).toArray()).map((value) => ({ kind, value }))
      case 'template':
        return (await client.listResourceTemplates({ signal }).toArray()).map((value) => ({
          kind,
          value,
        }))
    }
  } catch (error) {
    if (isRpcError(error, 'method_not_found')) return [] // it says so, and has none
    throw error
  }
}
