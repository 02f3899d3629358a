import { safeText } from '@parley/foundation/terminal'
import type { Prompt, Tool } from '@parley/mcp'
import type { Client } from '@parley/mcp/client'

/** What of a server has types. */
export interface Surface {
  readonly server: string
  /** The revision that it was read in. */
  readonly revision?: string | undefined
  readonly tools: readonly Tool[]
  readonly prompts: readonly Prompt[]
}

/** Asks for everything that has types. */
export async function surfaceOf(client: Client): Promise<Surface> {
  const { capabilities, info } = client.server
  return {
    server: info?.name ?? 'a server without a name',
    revision: client.negotiated.revision,
    tools: capabilities.tools === undefined ? [] : await client.listTools().toArray(),
    prompts: capabilities.prompts === undefined ? [] : await client.listPrompts().toArray(),
  }
}

/** In order, and each name once: a module cannot have two of one. */
export function byName<T extends { readonly name: string }>(items: readonly T[]): readonly T[] {
  const first = new Map(items.toReversed().map((item) => [item.name, item]))
  return [...first.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** A text of the server, short and without anything that acts on its surroundings. */
export function oneLine(text: string): string {
  return safeText(text.slice(0, 200).replaceAll(/\s+/g, ' '), { multiline: false })
}
