import { Button, Checkbox, NumberInput, Select, Textarea } from '@mantine/core'
import type { SamplingDecision, SamplingReview } from '@parley/host'
import { ContentBlock } from '@parley/page/content'
import { Tag } from '@parley/page/parts'
import { modifier } from '@parley/page/shell'
import { useMemo, useState, type ReactElement } from 'react'

import type { ChatAnswer } from '../../src/chat.ts'
import { redactSecrets } from '../../src/core/redact.ts'
import { visible, visibleBlock } from '../visible.ts'
import { SheetFrame } from './sheet-frame.tsx'

type Message = SamplingReview['request']['messages'][number]
type Block = Exclude<Message['content'], readonly unknown[]>

/** What a server wants of the model, before anything is sent: to read, to change, to refuse. */
export function SamplingSheet({
  review,
  onAnswer,
}: {
  readonly review: SamplingReview
  readonly onAnswer: (answer: ChatAnswer) => void
}): ReactElement {
  const { server, request, why, models } = review
  const redacted = useMemo(() => redactMessages(request.messages), [request])
  const [isRedacted, setIsRedacted] = useState(redacted.count > 0)
  const [changed, setChanged] = useState<readonly Message[]>()
  const [system, setSystem] = useState(request.systemPrompt)
  const [model, setModel] = useState(review.model)
  const [maxTokens, setMaxTokens] = useState(review.maxTokens)
  const messages = changed ?? (isRedacted ? redacted.messages : request.messages)
  const say = (decision: SamplingDecision) => onAnswer({ kind: 'sampling', decision })
  const deny = () => say({ decision: 'deny' })
  const rejectAll = () => say({ decision: 'deny', remember: 'session' })
  const isChanged = changed !== undefined || isRedacted
  const allow = (remember?: 'session') =>
    say({
      decision: 'allow',
      ...(remember && { remember }),
      model,
      maxTokens,
      ...(isChanged && { messages: [...messages] }),
      ...(system !== request.systemPrompt && { systemPrompt: system ?? '' }),
    })
  return (
    <SheetFrame
      icon="spark"
      title={`${visible(server)} wants to ask the model something`}
      onEscape={deny}
      onSubmit={() => allow()}
      keys={{ n: deny, N: rejectAll }}
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
            onClick={deny}
          >
            Refuse
          </Button>
          <Button
            rightSection={
              <kbd className="keys" aria-hidden>
                {modifier} ↵
              </kbd>
            }
            onClick={() => allow()}
          >
            Send to {visible(model)}
          </Button>
          <Button variant="default" onClick={() => allow('session')}>
            Send, and do not ask again this session
          </Button>
          <Button variant="default" onClick={rejectAll}>
            Refuse all of this session
          </Button>
        </>
      }
    >
      <div className="row wrap-row">
        <Select
          label="Model"
          data={models.map((name) => ({ value: name, label: visible(name) }))}
          value={model}
          onChange={(next) => setModel(next ?? model)}
          allowDeselect={false}
        />
        <NumberInput
          label="Tokens at most"
          min={1}
          value={maxTokens}
          onChange={(next) => setMaxTokens(Math.max(1, Number(next) || 1))}
        />
      </div>
      <p className="quiet wrap">
        This model was chosen because {visible(why)}. Nothing of this conversation is sent along.
      </p>
      {request.includeContext !== undefined && request.includeContext !== 'none' && (
        <Tag tone="warning">It asks for context ({request.includeContext}): none is sent</Tag>
      )}
      {redacted.count > 0 && (
        <Checkbox
          label={`Replace what looks like a secret (${redacted.count})`}
          checked={isRedacted}
          disabled={changed !== undefined}
          onChange={(event) => setIsRedacted(event.currentTarget.checked)}
        />
      )}
      {request.systemPrompt !== undefined && (
        <Textarea
          label="System prompt"
          autosize
          maxRows={8}
          value={system ?? ''}
          onChange={(event) => setSystem(event.currentTarget.value)}
        />
      )}
      {messages.map((message, at) => (
        // Messages have no identity but their place.
        <MessageField
          key={at}
          message={message}
          onChange={(next) =>
            setChanged(messages.map((item, index) => (index === at ? next : item)))
          }
        />
      ))}
    </SheetFrame>
  )
}

function MessageField({
  message,
  onChange,
}: {
  readonly message: Message
  readonly onChange: (message: Message) => void
}): ReactElement {
  const { role, content } = message
  const blocks = [content].flat()
  const [only] = blocks
  if (blocks.length === 1 && only?.type === 'text') {
    return (
      <Textarea
        label={role === 'user' ? 'Message' : 'Earlier answer'}
        autosize
        maxRows={12}
        value={only.text}
        onChange={(event) =>
          onChange({ ...message, content: { ...only, text: event.currentTarget.value } })
        }
      />
    )
  }
  return (
    <div>
      <div className="quiet">{role === 'user' ? 'Message' : 'Earlier answer'}</div>
      {blocks.map((block, at) => (
        <ContentBlock key={at} block={visibleBlock(block)} />
      ))}
    </div>
  )
}

function redactMessages(messages: readonly Message[]): {
  readonly messages: readonly Message[]
  readonly count: number
} {
  let count = 0
  const redact = (block: Block): Block => {
    if (block.type !== 'text') return block
    const clean = redactSecrets(block.text)
    count += clean.count
    return { ...block, text: clean.text }
  }
  const clean = messages.map(({ content, ...message }): Message => {
    const blocks = [content].flat().map(redact)
    const [only] = blocks
    return { ...message, content: only !== undefined && blocks.length === 1 ? only : blocks }
  })
  return { messages: clean, count }
}
