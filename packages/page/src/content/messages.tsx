import type { ReactElement } from 'react'

import { Icon } from '../icons.tsx'
import { listOf, recordOf, textOf } from '../json.ts'
import { ContentBlock, type ResourceActions } from './content-block.tsx'

export interface MessagesProps {
  /** As a server sent them. */
  readonly messages: unknown
  readonly resources?: ResourceActions | undefined
}

/** Messages of a prompt or a sampling request, each with its role. */
export function Messages({ messages, resources }: MessagesProps): ReactElement {
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
            {blocks.map((block, location) => (
              <ContentBlock key={location} block={block} resources={resources} />
            ))}
          </li>
        )
      })}
    </ol>
  )
}
