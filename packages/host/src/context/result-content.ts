import { withoutHidden } from '@parley/foundation/text-safety'
import type { CallToolResult, ContentBlock } from '@parley/mcp'

import type { Model, ModelContent } from '../models/model.ts'
import { fenceData } from './data-fence.ts'
import { excerptOf } from './excerpt.ts'
import type { StoredResults } from './kept-results.ts'

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
  readonly takes: Model['takes']
  readonly kept: StoredResults
  readonly maxCharacters: number
}

/** Text is cleaned, cut and fenced; images and audio pass where the model takes them. */
export function showResult(result: CallToolResult, options: ShowOptions): ShownResult {
  const { content, structuredContent } = result
  const { takes, kept, maxCharacters, label } = options
  const texts = content.flatMap((block) => textOf(block, takes))
  const isBare = !content.some((block) => block.type === 'text' && block.text !== '')
  if (isBare && structuredContent !== undefined) texts.push(JSON.stringify(structuredContent))
  const { text, count } = withoutHidden(texts.join('\n'))
  const handle = text.length > maxCharacters ? kept.keep(text) : undefined
  const said = handle === undefined ? text : excerptOf(text, maxCharacters, handle)
  const media = content.flatMap((block) => mediaOf(block, takes))
  return {
    content: [{ type: 'text', text: fenceData(said === '' ? '(empty)' : said, label) }, ...media],
    handle,
    hiddenCharacters: count,
  }
}

function mediaOf(block: ContentBlock, takes: Model['takes']): readonly ModelContent[] {
  if (!isTaken(block, takes)) return []
  const { type, mimeType, data } = block
  return [{ type, mimeType, data }]
}

type Media = Extract<ContentBlock, { type: 'image' | 'audio' }>

function isTaken(block: ContentBlock, takes: Model['takes']): block is Media {
  if (block.type === 'image') return takes?.images === true
  return block.type === 'audio' && takes?.audio === true
}

function textOf(block: ContentBlock, takes: Model['takes']): readonly string[] {
  switch (block.type) {
    case 'text':
      return [block.text]
    case 'image':
    case 'audio': {
      const { type, mimeType } = block
      if (isTaken(block, takes)) return [`(${type}, ${mimeType}: attached)`]
      return [`(${type}, ${mimeType}, not shown: this model does not take it)`]
    }
    case 'resource_link':
      return [`(link to the resource ${block.uri}${block.title ? `, ${block.title}` : ''})`]
    case 'resource': {
      const { resource } = block
      if ('text' in resource) return [`(resource ${resource.uri})\n${resource.text}`]
      return [`(resource ${resource.uri}, ${resource.mimeType ?? 'binary'}, not shown)`]
    }
  }
}
