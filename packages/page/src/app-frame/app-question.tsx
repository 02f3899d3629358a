import { Button } from '@mantine/core'
import type { ReactElement } from 'react'

import { JsonTree } from '../form/code/json-tree.tsx'
import { Note } from '../parts/problem.tsx'
import type { AppRequest } from './app-request.ts'

/** What a person may say to an app: for this time, for as long as it is shown, or not. */
export type AppConsent = 'once' | 'always' | 'no'

export interface AppQuestionProps {
  readonly request: AppRequest
  /** Whose app it is. */
  readonly server: string
  readonly onAnswer: (answer: AppConsent) => void
}

/** Asks before an app does something: beside the app, never inside of it. */
export function AppQuestion({ request, server, onAnswer }: AppQuestionProps): ReactElement {
  const { title, detail, once, always } = wordsFor(request, server)
  return (
    <div className="app-question" role="group" aria-label={title}>
      <Note tone="warning" title={title} isUrgent>
        {detail}
        <div className="app-question-buttons">
          <Button size="xs" onClick={() => onAnswer('once')}>
            {once}
          </Button>
          {always !== undefined && (
            <Button size="xs" variant="default" onClick={() => onAnswer('always')}>
              {always}
            </Button>
          )}
          <Button size="xs" variant="default" onClick={() => onAnswer('no')}>
            Refuse
          </Button>
        </div>
      </Note>
    </div>
  )
}

interface Words {
  readonly title: string
  readonly detail: ReactElement
  readonly once: string
  /** Only for what can be allowed in advance. */
  readonly always?: string
}

function wordsFor(request: AppRequest, server: string): Words {
  switch (request.kind) {
    case 'call':
      return {
        title: `The app wants to call ${request.name}`,
        detail: <JsonTree value={request.args} label="Arguments" />,
        once: 'Call once',
        always: `Call ${request.name} without asking while it is shown`,
      }
    case 'read':
      return {
        title: `The app wants to read a resource of ${server}`,
        detail: <code className="mono wrap">{request.uri}</code>,
        once: 'Read once',
        always: 'Read resources without asking while it is shown',
      }
    case 'link':
      return {
        title: `The app wants to open a page at ${new URL(request.url).host}`,
        detail: <code className="mono wrap">{request.url}</code>,
        once: 'Open in a new tab',
      }
    case 'message':
      return {
        title: 'The app wants to say this in your name',
        detail: <pre className="app-words">{request.text}</pre>,
        once: 'Send',
      }
    case 'context':
      return {
        title: 'The app wants the model to know this',
        detail: <JsonTree value={request.context} label="Context" />,
        once: 'Allow once',
        always: 'Allow while it is shown',
      }
  }
}
