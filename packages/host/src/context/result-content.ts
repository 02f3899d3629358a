import { withoutHidden } from '@parley/foundation/text-safety'
import type { CallToolResult, ContentBlock } from '@parley/mcp'

import type { Model, ModelContent } from '../models/model.ts'
import { fenceData } from './data-fence.ts'
import type { StoredResults } from './kept-results.ts'
import { describeLink } from './read-resource.ts'

/** A result as the model gets it. */
export interface ShownResult {
  readonly content: readonly ModelContent[]
  /** If it was too long. */
  readonly handle?: string | undefined
  readonly hiddenCharacters: number
}

/** How results are shown. */
export interface ShowOptions {
  readonly label: string
  readonly accepts: Model['accepts']
  readonly stored: StoredResults
  readonly maxCharacters: number
}

/** Text is cleaned, cut and fenced; images and audio pass where the model takes them. */
export function showResult(result: CallToolResult, options: ShowOptions): ShownResult {
  const { content, structuredContent } = result
  const { accepts, stored, maxCharacters, label } = options
  const texts = content.flatMap((block) => textOf(block, accepts))
  const isBare = !content.some((block) => block.type === 'text' && block.text !== '')
  if (isBare && structuredContent !== undefined) texts.push(JSON.stringify(structuredContent))
  const { text, count } = withoutHidden(texts.join('\n'))
  const handle = text.length > maxCharacters ? stored.keep(text) : undefined
  const excerpt = handle === undefined ? text : excerptOf(text, maxCharacters, handle)
  const media = content.flatMap((block) => mediaOf(block, accepts))
  return {
    content: [
      { type: 'text', text: fenceData(excerpt === '' ? '(empty)' : excerpt, label) },
      ...media,
    ],
    handle,
    hiddenCharacters: count,
  }
}

function mediaOf(block: ContentBlock, accepts: Model['accepts']): readonly ModelContent[] {
  if (!isUsed(block, accepts)) return []
  const { type, mimeType, data } = block
  return [{ type, mimeType, data }]
}

type Media = Extract<ContentBlock, { type: 'image' | 'audio' }>

function isUsed(block: ContentBlock, accepts: Model['accepts']): block is Media {
  if (block.type === 'image') return accepts?.images === true
  return block.type === 'audio' && accepts?.audio === true
}

function textOf(block: ContentBlock, accepts: Model['accepts']): readonly string[] {
  switch (block.type) {
    case 'text':
      return [block.text]
    case 'image':
    case 'audio': {
      const { type, mimeType } = block
      if (isUsed(block, accepts)) return [`(${type}, ${mimeType}: attached)`]
      return [`(${type}, ${mimeType}, not shown: this model does not take it)`]
    }
    case 'resource_link':
      return [describeLink(block)]
    case 'resource': {
      const { resource } = block
      if ('text' in resource) return [`(resource ${resource.uri})\n${resource.text}`]
      return [`(resource ${resource.uri}, ${resource.mimeType ?? 'binary'}, not shown)`]
    }
  }
}

/** The share of an excerpt that comes from the end of the text. */
const tailShare = 0.25

/** Returns head, tail and shape of a long text. */
function excerptOf(text: string, maxCharacters: number, handle: string): string {
  const tailLength = Math.floor(maxCharacters * tailShare)
  const headLength = maxCharacters - tailLength
  const left = text.length - headLength - tailLength
  return [
    `(${shapeOf(text)}. It is kept as ${handle}: read more with read_result.)`,
    text.slice(0, headLength),
    `… ${left} characters left out; read_result {"handle":"${handle}","offset":${headLength}} continues here …`,
    text.slice(-tailLength),
  ].join('\n')
}

/** Describes a text in a few words. */
function shapeOf(text: string): string {
  const size = `${text.length} characters`
  const first = text.trimStart()[0]
  if (first === '[' || first === '{') {
    try {
      const value: unknown = JSON.parse(text)
      if (Array.isArray(value)) return `JSON, an array of ${value.length} items, ${size}`
      const names = Object.keys(value as object) // it began with a brace
      const shown = names
        .slice(0, 20)
        .map((name) => name.slice(0, 40))
        .join(', ')
      return `JSON, an object with ${names.length} members (${shown}${names.length > 20 ? ', …' : ''}), ${size}`
    } catch {
      // text that only looks like JSON
    }
  }
  return `text of ${text.split('\n').length} lines, ${size}`
}
