/** What is offered while somebody types `/` or `@`. */

import { rankResources } from '../../src/core/rank-resources.ts'
import type { ServerView } from '../../src/protocol/index.ts'

/** A word under the cursor that begins with `/` or `@`. */
export interface Trigger {
  readonly sign: '/' | '@'
  readonly query: string
  /** Where the sign stands in the text. */
  readonly from: number
}

/** One thing that can be picked. */
export type Suggestion = {
  readonly id: string
  /** `/server.prompt`, a resource, or a tool. */
  readonly label: string
  readonly detail: string
} & (
  | {
      readonly kind: 'prompt'
      readonly server: string
      readonly prompt: ServerView['prompts'][number]
    }
  | {
      readonly kind: 'resource'
      readonly server: string
      readonly resource: ServerView['resources'][number]
    }
  | {
      readonly kind: 'template'
      readonly server: string
      readonly template: ServerView['templates'][number]
    }
  | { readonly kind: 'tool'; readonly server: string; readonly mention: string }
)

/** The word at the cursor, if it asks for suggestions. `/` does so only at the beginning. */
export function triggerAt(text: string, cursor: number): Trigger | undefined {
  const before = text.slice(0, cursor)
  const [, slash] = /^\/(\S*)$/.exec(before) ?? []
  if (slash !== undefined) return { sign: '/', query: slash, from: 0 }
  const [found, space = '', query = ''] = /(^|\s)@([^\s@]{0,200})$/.exec(before) ?? []
  if (found === undefined) return undefined
  return { sign: '@', query, from: before.length - found.length + space.length }
}

const most = 12

/** The best for what was typed. Names carry their server, so that two of the same name can be told apart. */
export function suggestionsFor(
  { sign, query }: Pick<Trigger, 'sign' | 'query'>,
  servers: readonly ServerView[],
): readonly Suggestion[] {
  return (sign === '/' ? prompts(query, servers) : mentions(query, servers)).slice(0, most)
}

function prompts(query: string, servers: readonly ServerView[]): readonly Suggestion[] {
  const all = servers.flatMap(({ name: server, prompts: own }) =>
    own.map((prompt): Suggestion => ({
      id: `prompt ${server} ${prompt.name}`,
      kind: 'prompt',
      server,
      prompt,
      label: `/${server}.${prompt.name}`,
      detail: [prompt.title, prompt.description].filter(Boolean).join(': '),
    })),
  )
  return matching(all, query)
}

function mentions(query: string, servers: readonly ServerView[]): readonly Suggestion[] {
  const all = servers.flatMap(({ name: server, resources }) =>
    resources.map((resource) => ({ ...resource, server })),
  )
  const resources = rankResources(all, query.replaceAll(/[-_.:/]+/g, ' ')).map(
    ({ server, ...resource }): Suggestion => ({
      id: `resource ${server} ${resource.uri}`,
      kind: 'resource',
      server,
      resource,
      label: resource.title ?? resource.name,
      detail: `${server} · ${resource.uri}`,
    }),
  )
  const templates = servers.flatMap(({ name: server, templates: own }) =>
    own.map((template): Suggestion => ({
      id: `template ${server} ${template.uriTemplate}`,
      kind: 'template',
      server,
      template,
      label: template.title ?? template.name,
      detail: `${server} · ${template.uriTemplate}`,
    })),
  )
  const tools = servers.flatMap(({ name: server, tools: own }) =>
    own
      .filter(({ isEnabled }) => isEnabled)
      .map(({ mention, title, description = '' }): Suggestion => ({
        id: `tool ${mention}`,
        kind: 'tool',
        server,
        mention,
        label: `@${mention}`,
        detail: title ?? description.slice(0, 120),
      })),
  )
  const found = matching(tools, query)
  const maxResources = Math.max(4, most - Math.min(4, found.length) - 2)
  return [...resources.slice(0, maxResources), ...matching(templates, query).slice(0, 2), ...found]
}

function matching(all: readonly Suggestion[], query: string): readonly Suggestion[] {
  const words = query
    .toLowerCase()
    .split(/[\s.:/_-]+/)
    .filter(Boolean)
  return all.filter(({ label, detail }) => {
    const text = `${label} ${detail}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
