import { Button } from '@mantine/core'
import { defaultsOf } from '@parley/foundation/forms'
import type { QuestionAnswer, ServerQuestion } from '@parley/host'
import type { JsonValue } from '@parley/mcp'
import { SchemaForm, useCheckedSend } from '@parley/page/form'
import { CappedText, Note } from '@parley/page/parts'
import { modifier } from '@parley/page/shell'
import { useMemo, useState, type ReactElement } from 'react'

import type { ChatAnswer } from '../../src/chat.ts'
import { visible } from '../visible.ts'
import { SheetFrame } from './sheet-frame.tsx'

interface ElicitationProps<Question> {
  readonly question: Question
  readonly onAnswer: (answer: ChatAnswer) => void
}

/** A question of a server: a form, or an address to open. */
export function ElicitationSheet(props: ElicitationProps<ServerQuestion>): ReactElement {
  const { question, onAnswer } = props
  return question.mode === 'url' ? (
    <UrlSheet question={question} onAnswer={onAnswer} />
  ) : (
    <FormSheet question={question} onAnswer={onAnswer} />
  )
}

function FormSheet({
  question,
  onAnswer,
}: ElicitationProps<Extract<ServerQuestion, { mode: 'form' }>>): ReactElement {
  const { schema, server, message, warnings } = question
  const first = useMemo(() => defaultsOf(schema), [schema])
  const [value, setValue] = useState<JsonValue | undefined>(first)
  const checked = useCheckedSend(schema, value)
  const say = (answer: QuestionAnswer) => onAnswer({ kind: 'elicitation', answer })
  const content = typeof value === 'object' && value !== null ? value : {}
  const send = () => checked.send(() => say({ action: 'accept', content }))
  return (
    <SheetFrame
      icon="inbox"
      title={`${visible(server)} asks you something`}
      onEscape={() => say({ action: 'cancel' })}
      onSubmit={send}
      buttons={
        <>
          <Button variant="default" data-safe onClick={() => say({ action: 'decline' })}>
            Decline
          </Button>
          <Button
            variant="default"
            rightSection={
              <kbd className="keys" aria-hidden>
                Esc
              </kbd>
            }
            onClick={() => say({ action: 'cancel' })}
          >
            Close without an answer
          </Button>
          <Button
            rightSection={
              <kbd className="keys" aria-hidden>
                {modifier} ↵
              </kbd>
            }
            onClick={send}
          >
            Send to {visible(server)}
          </Button>
          <DeclineAll say={say} />
          {checked.isBlocked && (
            <span className="field-error">Not sent: correct the marked fields</span>
          )}
        </>
      }
    >
      <CappedText text={visible(message)} className="prose lead" />
      <Warnings warnings={warnings} />
      <SchemaForm
        schema={schema}
        value={value}
        onChange={setValue}
        label="Answer"
        attempt={checked.attempt}
      />
    </SheetFrame>
  )
}

function UrlSheet({
  question,
  onAnswer,
}: ElicitationProps<Extract<ServerQuestion, { mode: 'url' }>>): ReactElement {
  const { server, message, url, host, warnings } = question
  const say = (answer: QuestionAnswer) => onAnswer({ kind: 'elicitation', answer })
  const isWeb = /^https?:\/\//i.test(url)
  return (
    <SheetFrame
      icon="link"
      title={`${visible(server)} wants you to open an address`}
      onEscape={() => say({ action: 'cancel' })}
      buttons={
        <>
          <Button variant="default" data-safe onClick={() => say({ action: 'decline' })}>
            Decline
          </Button>
          <Button
            variant="default"
            rightSection={
              <kbd className="keys" aria-hidden>
                Esc
              </kbd>
            }
            onClick={() => say({ action: 'cancel' })}
          >
            Close without an answer
          </Button>
          {isWeb && (
            <Button
              component="a"
              href={url}
              target="_blank"
              rel="noreferrer noopener"
              onClick={() => say({ action: 'accept' })}
            >
              Open {visible(host)}
            </Button>
          )}
          <DeclineAll say={say} />
        </>
      }
    >
      <CappedText text={visible(message)} className="prose lead" />
      <p>
        It leads to <strong className="sheet-host">{visible(host)}</strong>
      </p>
      <code className="code-inline wrap">{visible(url)}</code>
      <Warnings warnings={warnings} />
      {!isWeb && <Note tone="bad">Only http and https addresses can be opened from here.</Note>}
      <p className="quiet">
        Nothing opens by itself. What you enter there goes to that site, not through this chat.
      </p>
    </SheetFrame>
  )
}

/** For a server that asks too much. */
function DeclineAll({ say }: { readonly say: (answer: QuestionAnswer) => void }): ReactElement {
  return (
    <Button variant="subtle" onClick={() => say({ action: 'decline', remember: 'session' })}>
      Decline everything it asks this session
    </Button>
  )
}

function Warnings({ warnings }: { readonly warnings: readonly string[] }): ReactElement {
  return (
    <>
      {warnings.map((warning) => (
        <Note key={warning} tone="warning">
          <span className="wrap">{visible(warning)}</span>
        </Note>
      ))}
    </>
  )
}
