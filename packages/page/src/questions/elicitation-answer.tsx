import { Menu } from '@mantine/core'
import { defaultsOf } from '@parley/foundation/forms'
import { useMemo, useState, type ReactElement } from 'react'

import { useCheckedSend } from '../form/checked-send.ts'
import { JsonEditor } from '../form/code/json-editor.tsx'
import { SchemaForm } from '../form/schema-form.tsx'
import { textOf } from '../json.ts'
import { Note } from '../parts/problem.tsx'
import { CappedText } from '../parts/text/capped-text.tsx'
import { SafeLink } from '../parts/text/safe-link.tsx'
import { useProgram } from '../theme/program.ts'
import { AnswerButtons } from './answer-buttons.tsx'
import { useAnswerDraft } from './answer-drafts.ts'
import type { AnswerProps } from './answer-props.ts'
import { asksForSecret, messageOf } from './question-text.ts'

export interface ElicitationAnswerProps extends AnswerProps {
  readonly onNeverAsk?: (() => Promise<unknown>) | undefined
}

/** Input that a server asks for: a form, or a link to open. */
export function ElicitationAnswer(props: ElicitationAnswerProps): ReactElement {
  const { question, isBusy, isOpen, onAnswer, onNeverAsk } = props
  const { params } = question
  const program = useProgram()
  const url = textOf(params['url'])
  const isUrl = params['mode'] === 'url' || url !== undefined
  const schema = params['requestedSchema'] ?? anyForm
  // Defaults are sent unless somebody changes them, so they are values that can be seen and changed.
  const first = useMemo(() => defaultsOf(schema), [schema])
  const [value, setValue] = useAnswerDraft(question.id, first, isOpen)
  const [mode, setMode] = useState<'form' | 'json'>('form')
  const checked = useCheckedSend(schema, value)
  const other = mode === 'form' ? 'json' : 'form'
  const menu = (!isUrl || onNeverAsk !== undefined) && (
    <>
      {!isUrl && (
        <Menu.Item onClick={() => setMode(other)}>
          {other === 'json' ? 'Write the answer as JSON' : 'Show the form'}
        </Menu.Item>
      )}
      {onNeverAsk !== undefined && (
        <Menu.Item onClick={() => void onNeverAsk().then(() => onAnswer({ action: 'decline' }))}>
          Never ask for {question.server}
        </Menu.Item>
      )}
    </>
  )

  return (
    <>
      <div className="column-scroll">
        <CappedText text={messageOf(question)} limit={4000} className="prose lead" />
        {isUrl ? (
          <>
            <Note tone="warning" title="The server wants you to open this address">
              <SafeLink url={url ?? ''} />
              <div className="hint">
                Check the host before you open it. What you enter there goes to that site, not
                through the {program.name}.
              </div>
            </Note>
          </>
        ) : (
          <>
            {asksForSecret(question) && (
              <Note tone="warning" title="This looks like a request for a secret">
                A server must not ask for passwords, keys or tokens in a form.
              </Note>
            )}
            {mode === 'form' ? (
              <SchemaForm
                schema={schema}
                value={value}
                onChange={setValue}
                label="Answer"
                attempt={checked.attempt}
              />
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
        acceptLabel={isUrl ? 'I have opened it' : 'Send answer'}
        menu={menu === false ? undefined : menu}
        isBusy={isBusy}
        onAnswer={onAnswer}
        onAccept={() => {
          if (isUrl) onAnswer({ action: 'accept' })
          else checked.send(() => onAnswer({ action: 'accept', content: value ?? {} }))
        }}
      >
        {checked.isBlocked && (
          <span className="field-error">Not sent: correct the marked fields</span>
        )}
      </AnswerButtons>
    </>
  )
}

const anyForm = { type: 'object', properties: {} }
