import { Button, Checkbox } from '@mantine/core'
import type { ConsentQuestion } from '@parley/host'
import type { JsonObject, JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'
import { DiffView } from '@parley/page/content'
import { JsonEditor, JsonTree } from '@parley/page/form'
import { CappedText, Note, Tag } from '@parley/page/parts'
import { useState, type ReactElement } from 'react'

import { visible, visibleIn } from '../visible.ts'

export interface CallQuestionProps {
  readonly question: ConsentQuestion
  readonly isOne: boolean
  readonly isEditing: boolean
  readonly onEdit: () => void
  /** Undefined while the text is no JSON object. */
  readonly onArguments: (args: JsonObject | undefined) => void
  readonly isPicked: boolean
  readonly onPick: (isPicked: boolean) => void
}

/** One call somebody has to decide about: what it is, why they are asked, what changed, what to be careful about. */
export function CallQuestion(props: CallQuestionProps): ReactElement {
  const { question, isOne, isEditing, onEdit, onArguments, isPicked, onPick } = props
  const { call, reason, changes = [], warnings } = question
  const { server, tool } = call
  const name = `${visible(server)} · ${visible(tool.name)}`
  return (
    <div className="call-question">
      {!isOne && (
        <Checkbox
          label={<strong className="wrap">{name}</strong>}
          aria-label={`Select ${name}`}
          checked={isPicked}
          onChange={(event) => onPick(event.currentTarget.checked)}
        />
      )}
      <div className="row wrap-row">
        <Claims question={question} />
        {call.flow.untrusted && (
          <Tag tone="warning" icon="alert">
            after untrusted content
          </Tag>
        )}
        {call.flow.private && (
          <Tag tone="warning" icon="lock">
            after private content
          </Tag>
        )}
      </div>
      {changes.map(({ what, before, after }) => (
        <Note
          key={what}
          tone="warning"
          title={`The ${what} changed since you allowed it. Look at the difference before you answer.`}
        >
          <DiffView before={pretty(before)} after={pretty(after)} />
        </Note>
      ))}
      {warnings.map((warning) => (
        <Note key={warning} tone="warning">
          <span className="wrap">{visible(warning)}</span>
        </Note>
      ))}
      {tool.description !== undefined && (
        <details>
          <summary>Description by the server</summary>
          <CappedText text={visible(tool.description)} />
        </details>
      )}
      <Arguments
        args={call.arguments}
        isEditing={isEditing}
        onArguments={onArguments}
        schema={tool.inputSchema}
      />
      <div className="row">
        <span className="quiet grow wrap">Why you are asked: {visible(reason)}</span>
        {!isEditing && (
          <Button variant="subtle" size="compact-xs" onClick={onEdit}>
            Edit arguments
          </Button>
        )}
      </div>
    </div>
  )
}

function Arguments({
  args,
  isEditing,
  onArguments,
  schema,
}: {
  readonly args: JsonObject
  readonly isEditing: boolean
  readonly onArguments: CallQuestionProps['onArguments']
  readonly schema: unknown
}): ReactElement {
  const [value, setValue] = useState<JsonValue | undefined>(args)
  if (!isEditing) {
    return Object.keys(args).length === 0 ? (
      <p className="quiet">No arguments.</p>
    ) : (
      <JsonTree value={visibleIn(args)} label="Arguments" />
    )
  }
  return (
    <JsonEditor
      label="Arguments as JSON"
      value={value}
      schema={schema}
      onChange={(next) => {
        setValue(next)
        onArguments(isJsonObject(next) ? next : undefined)
      }}
    />
  )
}

/** What a server claims about a tool: said to be so, and nothing more. */
function Claims({ question }: { readonly question: ConsentQuestion }): ReactElement {
  const { readOnlyHint, destructiveHint, openWorldHint } = question.call.tool.annotations ?? {}
  return (
    <>
      {readOnlyHint === true && <Tag title="A claim, not a fact">server says: only reads</Tag>}
      {destructiveHint === true && (
        <Tag tone="warning" title="A claim, not a fact">
          server says: may delete or overwrite
        </Tag>
      )}
      {openWorldHint === true && (
        <Tag title="A claim, not a fact">server says: reaches other systems</Tag>
      )}
      {question.call.by === 'app' && <Tag tone="info">asked for by an app</Tag>}
    </>
  )
}

function pretty(value: unknown): string {
  return visible(JSON.stringify(value, undefined, 2))
}
