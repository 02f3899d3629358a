import { Button, SegmentedControl } from '@mantine/core'
import { issuesOf, startOf } from '@parley/foundation/forms'
import type { JsonValue } from '@parley/mcp'
import { useState, type ReactElement } from 'react'

import { JsonEditor } from '../form/json-editor.tsx'
import { SchemaForm } from '../form/schema-form.tsx'
import { textOf } from '../json.ts'
import { CappedText } from '../parts/capped-text.tsx'
import { Note } from '../parts/problem.tsx'
import { SafeLink } from '../parts/safe-link.tsx'
import { AnswerButtons } from './answer-buttons.tsx'
import { neverAsk } from './never-ask.ts'
import type { AnswerProps } from './question-detail.tsx'
import { asksForSecret, messageOf } from './question-text.ts'

/** Input that a server asks for: a form, or a link to open. */
export function ElicitationAnswer({ question, isBusy, onAnswer }: AnswerProps): ReactElement {
  const { params } = question
  const url = textOf(params['url'])
  const isUrl = params['mode'] === 'url' || url !== undefined
  const schema = params['requestedSchema'] ?? { type: 'object', properties: {} }
  const [value, setValue] = useState<JsonValue | undefined>(() => startOf(schema))
  const [mode, setMode] = useState<'form' | 'json'>('form')
  const isFit = isUrl || issuesOf(schema, value).issues.length === 0

  return (
    <>
      <div className="column-scroll">
        <CappedText text={messageOf(question)} limit={4000} className="prose lead" />
        {isUrl ? (
          <>
            <Note tone="warning" title="The server wants you to open this address">
              <SafeLink url={url ?? ''} />
              <div className="hint">
                Look at the host before you open it. What you enter there goes to that site, not
                through the inspector.
              </div>
            </Note>
          </>
        ) : (
          <>
            {asksForSecret(question) && (
              <Note tone="warning" title="This looks like a question for a secret">
                A server must not ask for passwords, keys or tokens in a form.
              </Note>
            )}
            <SegmentedControl
              className="self-start"
              aria-label="How to show the answer"
              value={mode}
              onChange={setMode}
              data={[
                { value: 'form', label: 'Form' },
                { value: 'json', label: 'JSON' },
              ]}
            />
            {mode === 'form' ? (
              <SchemaForm schema={schema} value={value} onChange={setValue} label="Answer" />
            ) : (
              <JsonEditor
                value={value}
                onChange={setValue}
                label="Answer as JSON"
                schema={schema}
              />
            )}
          </>
        )}
      </div>
      <AnswerButtons
        acceptLabel={isUrl ? 'I have opened it' : 'Accept'}
        isBusy={isBusy}
        isHeld={!isUrl && !isFit}
        onAnswer={onAnswer}
        onAccept={() =>
          onAnswer(isUrl ? { action: 'accept' } : { action: 'accept', content: value ?? {} })
        }
      >
        {!isFit && <span className="quiet">Does not fit yet</span>}
        <Button
          variant="subtle"
          color="gray"
          disabled={isBusy}
          onClick={() => void neverAsk(question.server).then(() => onAnswer({ action: 'decline' }))}
        >
          Never ask for {question.server}
        </Button>
      </AnswerButtons>
    </>
  )
}
