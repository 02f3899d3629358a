import type { ReactElement } from 'react'

import type { ServerView } from '../../src/protocol/index.ts'
import { Icon } from '../icons.tsx'
import { listOf, recordOf, textOf } from '../json.ts'
import { ContentBlock } from '../tools/content-block.tsx'

import '../tools/tools.css'
import './prompts.css'

/** Messages of a prompt or a sampling request, each with its role. */
export function Messages({
  messages,
  server,
}: {
  readonly messages: unknown
  readonly server: ServerView
}): ReactElement {
  return (
    <ol className="messages" aria-label="Messages">
      {listOf(messages).map((message, index) => {
        const { role, content } = recordOf(message)
        const blocks = Array.isArray(content) ? content : [content]
        return (
          // Messages have no identity but their place.
          <li key={index} className="message" data-role={textOf(role)}>
            <div className="message-role">
              <Icon name={role === 'assistant' ? 'spark' : 'message'} size={14} />
              {textOf(role) ?? 'no role'}
            </div>
            {blocks.map((block, place) => (
              <ContentBlock key={place} block={block} server={server} />
            ))}
          </li>
        )
      })}
    </ol>
  )
}
