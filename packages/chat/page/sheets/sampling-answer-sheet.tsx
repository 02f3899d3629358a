import { Button, Textarea } from '@mantine/core'
import type { AnswerDecision, SamplingAnswer } from '@parley/host'
import { modifier } from '@parley/page/shell'
import { useState, type ReactElement } from 'react'

import type { ChatAnswer } from '../../src/chat.ts'
import { visible } from '../visible.ts'
import { SheetFrame } from './sheet-frame.tsx'

/** What the model answered to a server, before the server gets it. */
export function SamplingAnswerSheet({
  answer,
  onAnswer,
}: {
  readonly answer: SamplingAnswer
  readonly onAnswer: (answer: ChatAnswer) => void
}): ReactElement {
  const { server, model } = answer
  const [text, setText] = useState(answer.text)
  const say = (decision: AnswerDecision) => onAnswer({ kind: 'sampling-answer', decision })
  const withhold = () => say({ decision: 'withhold' })
  const release = () => say({ decision: 'release', ...(text !== answer.text && { text }) })
  return (
    <SheetFrame
      icon="spark"
      title={`${visible(model)} answered ${visible(server)}: give it the answer?`}
      onEscape={withhold}
      onSubmit={release}
      keys={{ n: withhold }}
      buttons={
        <>
          <Button
            variant="default"
            data-safe
            rightSection={
              <kbd className="keys" aria-hidden>
                N
              </kbd>
            }
            onClick={withhold}
          >
            Withhold
          </Button>
          <Button
            rightSection={
              <kbd className="keys" aria-hidden>
                {modifier} ↵
              </kbd>
            }
            onClick={release}
          >
            Give it to {visible(server)}
          </Button>
        </>
      }
    >
      <Textarea
        label="Answer of the model"
        autosize
        maxRows={14}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </SheetFrame>
  )
}
