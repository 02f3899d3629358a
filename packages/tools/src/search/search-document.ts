import type { JsonSchema } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import type { SearchableTool } from './offer.ts'
import { words } from './words.ts'

/** The texts of a tool that are searched. */
export interface SearchDocument {
  readonly id: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: string
  readonly keywords: string
}

/** Characters of one text that are searched: a tool of a stranger must not fill the index. */
const maxCharacters = 4_000
const maxArguments = 200
const deepest = 3

/** Returns the searchable text of a tool, bounded. */
export function searchDocument(tool: SearchableTool): SearchDocument {
  const { name, title, description = '', annotations, keywords = '' } = tool
  return {
    id: name,
    name: cut(`${name} ${neighbours(name)}`),
    title: cut(title ?? annotations?.title ?? ''),
    description: cut(description),
    arguments: argumentTexts(tool.inputSchema),
    keywords: cut(keywords),
  }
}

/** Words of a name that stand side by side, as one: for those who write `pullrequest`. */
function neighbours(name: string): string {
  const parts = words(name.slice(0, 200))
  return parts
    .slice(1)
    .map((part, at) => `${parts[at]}${part}`)
    .join(' ')
}

/** Whether a tool says the same as before to those who search. */
export function isSameDocument(a: SearchDocument, b: SearchDocument): boolean {
  return (
    a.name === b.name &&
    a.title === b.title &&
    a.description === b.description &&
    a.arguments === b.arguments &&
    a.keywords === b.keywords
  )
}

function argumentTexts(schema: JsonSchema | undefined): string {
  const texts: string[] = []
  let count = 0
  visit(schema, 0)
  return cut(texts.join(' '))

  function visit(part: unknown, depth: number): void {
    if (!isJsonObject(part) || depth > deepest) return
    const { properties, items, enum: choices } = part
    if (isJsonObject(properties)) {
      for (const name in properties) {
        if (++count > maxArguments) return
        texts.push(name)
        const property = properties[name]
        if (!isJsonObject(property)) continue
        const { title, description } = property
        if (typeof title === 'string') texts.push(cut(title))
        if (typeof description === 'string') texts.push(cut(description))
        visit(property, depth + 1)
      }
    }
    if (Array.isArray(choices)) {
      for (const choice of choices.slice(0, 20)) {
        if (typeof choice === 'string') texts.push(choice.slice(0, 100))
      }
    }
    visit(items, depth + 1)
  }
}

function cut(text: string): string {
  return text.length > maxCharacters ? text.slice(0, maxCharacters) : text
}
