import { withoutHidden } from '@parley/foundation/text-safety'
import type { ContentBlock, GetPromptResult } from '@parley/mcp'

import type { Model, ModelContent, ModelMessage } from '../models/model.ts'
import { fenceData } from './data-fence.ts'
import { describeLink } from './read-resource.ts'

/**
 * The messages of a prompt for a conversation, with their roles. A person chose the prompt, so its words count as theirs;
 * resources in it are data.
 */
export function promptMessages(
  server: string,
  name: string,
  { messages }: GetPromptResult,
  takes: Model['accepts'],
): readonly ModelMessage[] {
  return messages.map(({ role, content }): ModelMessage => {
    const part = contentOf(
      content,
      `a resource in the prompt ${name} of the server ${server}`,
      takes,
    )
    if (role === 'user') return { role, content: [part] }
    return { role, text: part.type === 'text' ? part.text : `(${part.type})`, calls: [] }
  })
}

function contentOf(block: ContentBlock, label: string, takes: Model['accepts']): ModelContent {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: withoutHidden(block.text).text }
    case 'image':
    case 'audio': {
      const { type, mimeType, data } = block
      const isUsed = type === 'image' ? takes?.images === true : takes?.audio === true
      return isUsed ? { type, mimeType, data } : note(`${type}, ${mimeType}, not shown`)
    }
    case 'resource_link':
      return { type: 'text', text: withoutHidden(describeLink(block)).text }
    case 'resource': {
      const { resource } = block
      if (!('text' in resource)) return note(`resource ${resource.uri}, not shown`)
      const text = fenceData(withoutHidden(resource.text).text, `${label}, ${resource.uri}`)
      return { type: 'text', text }
    }
  }
}

function note(text: string): ModelContent {
  return { type: 'text', text: `(${text})` }
}
