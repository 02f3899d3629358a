import { withoutHidden } from '@parley/foundation/text-safety'
import type { CallToolResult, ContentBlock } from '@parley/mcp'

import type { Model, ModelContent } from '../models/model.ts'
import { fenceData } from './data-fence.ts'
import { excerptOf } from './excerpt.ts'
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
  readonly kept: StoredResults
  readonly maxCharacters: number
}

/** Text is cleaned, cut and fenced; images and audio pass where the model takes them. */
export function showResult(result: CallToolResult, options: ShowOptions): ShownResult {
  const { content, structuredContent } = result
  const { accepts, kept, maxCharacters, label } = options
  const texts = content.flatMap((block) => textOf(block, accepts))
  const isBare = !content.some((block) => block.type === 'text' && block.text !== '')
  if (isBare && structuredContent !== undefined) texts.push(JSON.stringify(structuredContent))
  const { text, count } = withoutHidden(texts.join('\n'))
  const handle = text.length > maxCharacters ? kept.keep(text) : undefined
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
  if (!isTaken(block, accepts)) return []
  const { type, mimeType, data } = block
  return [{ type, mimeType, data }]
}

type Media = Extract<ContentBlock, { type: 'image' | 'audio' }>

function isTaken(block: ContentBlock, accepts: Model['accepts']): block is Media {
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
      if (isTaken(block, accepts)) return [`(${type}, ${mimeType}: attached)`]
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
