import { Button, Select, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import type { JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'
import { useState, type ReactElement } from 'react'

import { Messages } from '../content/messages.tsx'
import { JsonEditor } from '../form/code/json-editor.tsx'
import { JsonTree } from '../form/code/json-tree.tsx'
import { Icon } from '../icons.tsx'
import { listOf, recordOf, textOf } from '../json.ts'
import { Tag } from '../parts/tag.tsx'
import { CappedText } from '../parts/text/capped-text.tsx'
import { AnswerButtons } from './answer-buttons.tsx'
import { useAnswerDraft } from './answer-drafts.ts'
import type { AnswerProps } from './answer-props.ts'
import type { QuestionFormProps } from './question-form.tsx'

export interface SamplingAnswerProps
  extends AnswerProps, Pick<QuestionFormProps, 'model' | 'resources'> {}

/** An answer that a model would have given: written by hand, or asked of the model. */
export function SamplingAnswer(props: SamplingAnswerProps): ReactElement {
  const { question, isBusy, isOpen, onAnswer, model, resources } = props
  const { params } = question
  const [mode, setMode] = useState<'text' | 'json'>('text')
  const [result, setResult] = useAnswerDraft(question.id, emptyReply, isOpen)
  const reply = isJsonObject(result) ? result : {}
  const content = isJsonObject(reply['content']) ? reply['content'] : {}
  const systemPrompt = textOf(params['systemPrompt'])
  const { maxTokens, temperature, includeContext, modelPreferences, tools } = params
  const wanted = listOf(recordOf(modelPreferences)['hints']).flatMap(
    (hint) => textOf(recordOf(hint)['name']) ?? [],
  )

  function change(part: { readonly [name: string]: JsonValue }) {
    setResult({ ...(reply as { [name: string]: JsonValue }), ...part }) // read from a JsonValue above
  }

  return (
    <>
      <div className="column-scroll">
        <div className="row wrap-row">
          {typeof maxTokens === 'number' && <Tag>at most {maxTokens} tokens</Tag>}
          {wanted.length > 0 && <Tag icon="spark">would like {wanted.join(', ')}</Tag>}
          {typeof temperature === 'number' && <Tag>temperature {temperature}</Tag>}
          {typeof includeContext === 'string' && includeContext !== 'none' && (
            <Tag tone="warning">wants context: {includeContext}</Tag>
          )}
          {Array.isArray(tools) && <Tag icon="wrench">{tools.length} tools</Tag>}
        </div>
        {systemPrompt !== undefined && (
          <div className="block">
            <div className="block-head">System prompt</div>
            <div className="block-body">
              <CappedText text={systemPrompt} />
            </div>
          </div>
        )}
        <Messages messages={params['messages']} resources={resources} />
        {modelPreferences !== undefined && (
          <details>
            <summary>Model preferences</summary>
            <JsonTree value={modelPreferences} label="Model preferences" />
          </details>
        )}
        <SegmentedControl
          className="self-start"
          aria-label="How to write the answer"
          value={mode}
          onChange={setMode}
          data={[
            { value: 'text', label: 'Reply' },
            { value: 'json', label: 'Result as JSON' },
          ]}
        />
        {mode === 'text' ? (
          <>
            <Textarea
              label="What the model says"
              autosize
              minRows={3}
              maxRows={14}
              value={textOf(content['text']) ?? ''}
              onChange={(event) =>
                change({ content: { type: 'text', text: event.currentTarget.value } })
              }
            />
            <div className="template-fields">
              <TextInput
                label="Model"
                value={textOf(reply['model']) ?? ''}
                onChange={(event) => change({ model: event.currentTarget.value })}
              />
              <Select
                label="Why it stopped"
                value={textOf(reply['stopReason']) ?? null}
                onChange={(reason) => change({ stopReason: reason ?? 'endTurn' })}
                data={['endTurn', 'stopSequence', 'maxTokens', 'toolUse']}
                allowDeselect={false}
              />
            </div>
          </>
        ) : (
          <JsonEditor value={result} onChange={setResult} label="Result as JSON" />
        )}
      </div>
      <AnswerButtons
        acceptLabel="Send reply"
        isBusy={isBusy}
        onAnswer={onAnswer}
        onAccept={() => onAnswer({ action: 'reply', result: reply })}
      >
        {model && (
          <Button
            variant="default"
            disabled={model.name === undefined || isBusy}
            leftSection={<Icon name="spark" size={14} />}
            onClick={() => onAnswer({ action: 'model' })}
          >
            {model.name === undefined ? 'Ask model (none set)' : `Ask ${model.name}`}
          </Button>
        )}
      </AnswerButtons>
    </>
  )
}

/** What an answer written by hand begins with. */
const emptyReply = {
  role: 'assistant',
  content: { type: 'text', text: '' },
  model: 'by-hand',
  stopReason: 'endTurn',
}
