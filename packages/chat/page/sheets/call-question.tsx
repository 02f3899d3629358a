import { Button, Checkbox, Tooltip, UnstyledButton } from '@mantine/core'
import type { ConsentQuestion } from '@parley/host'
import type { JsonObject, JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'
import { Icon } from '@parley/page/icons'
import { createLoadable, CappedText, Loaded, Note, Tag } from '@parley/page/parts'
import { useId, useState, type ReactElement } from 'react'

import { visible, visibleIn } from '../visible.ts'

const jsonTree = createLoadable(async () => (await import('@parley/page/form')).JsonTree)
const jsonEditor = createLoadable(async () => (await import('@parley/page/form')).JsonEditor)
const diffView = createLoadable(async () => (await import('@parley/page/content')).DiffView)

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

/** One call to decide about: a line, and on demand what it is, why the person is asked, and what to be careful about. */
export function CallQuestion(props: CallQuestionProps): ReactElement {
  const { question, isOne, isEditing, onEdit, onArguments, isPicked, onPick } = props
  const { call, reason, changes = [], warnings } = question
  const { server, tool } = call
  const id = useId()
  // What changed, and what to be careful about, is not folded away.
  const [isOpen, setIsOpen] = useState(isOne || changes.length > 0)
  const isShown = isOpen || isEditing
  const name = `${visible(server)} · ${visible(tool.name)}`
  return (
    <div className="call-question">
      {!isOne && (
        <div className="call-question-line">
          <Checkbox
            size="xs"
            aria-label={`Select ${name}`}
            checked={isPicked}
            onChange={(event) => onPick(event.currentTarget.checked)}
          />
          <UnstyledButton
            className="call-question-button"
            aria-expanded={isShown}
            aria-controls={id}
            onClick={() => setIsOpen(!isOpen)}
          >
            <CallIcon question={question} />
            <span className="call-question-name cut">
              <span className="quiet">{visible(server)} · </span>
              {visible(tool.name)}
            </span>
            <span className="grow cut quiet mono">{shortArguments(call.arguments)}</span>
            {tool.annotations?.destructiveHint === true && (
              <Tag tone="warning">may delete or overwrite</Tag>
            )}
            <Icon name={isShown ? 'chevronDown' : 'chevronRight'} size={14} />
          </UnstyledButton>
        </div>
      )}
      {warnings.map((warning) => (
        <Note key={warning} tone="warning">
          <span className="wrap">{visible(warning)}</span>
        </Note>
      ))}
      <div id={id} hidden={!isShown} className="call-question-detail">
        {isShown && (
          <>
            <div className="row wrap-row">
              <Claims question={question} />
            </div>
            {changes.map(({ what, before, after }) => (
              <Note
                key={what}
                tone="warning"
                title={`The ${what} changed since you allowed it. Look at the difference before you answer.`}
              >
                <Loaded part={diffView} name="The difference">
                  {(DiffView) => <DiffView before={pretty(before)} after={pretty(after)} />}
                </Loaded>
              </Note>
            ))}
            <Arguments
              args={call.arguments}
              isEditing={isEditing}
              onArguments={onArguments}
              schema={tool.inputSchema}
            />
            {tool.description !== undefined && (
              <details>
                <summary>Description by the server</summary>
                <CappedText text={visible(tool.description)} />
              </details>
            )}
            <div className="row">
              <span className="quiet grow wrap">Why you are asked: {visible(reason)}</span>
              {!isEditing && (
                <Button variant="subtle" size="compact-xs" onClick={onEdit}>
                  Edit arguments
                </Button>
              )}
            </div>
          </>
        )}
      </div>
    </div>
  )
}

/** A claim of the server about its tool, as an icon with words. */
function CallIcon({ question }: { readonly question: ConsentQuestion }): ReactElement {
  const { readOnlyHint = false, openWorldHint = false } = question.call.tool.annotations ?? {}
  const [icon, words] = readOnlyHint
    ? (['eye', 'server says: only reads'] as const)
    : openWorldHint
      ? (['globe', 'server says: reaches other systems'] as const)
      : (['pencil', 'not read-only'] as const)
  return (
    <Tooltip label={words}>
      <span className="call-icon">
        <Icon name={icon} size={15} />
        <span className="visually-hidden">{words}</span>
      </span>
    </Tooltip>
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
      <Loaded part={jsonTree} name="The arguments">
        {(JsonTree) => <JsonTree value={visibleIn(args)} label="Arguments" />}
      </Loaded>
    )
  }
  return (
    <Loaded part={jsonEditor} name="The editor">
      {(JsonEditor) => (
        <JsonEditor
          label="Arguments as JSON"
          value={value}
          schema={schema}
          onChange={(next) => {
            setValue(next)
            onArguments(isJsonObject(next) ? next : undefined)
          }}
        />
      )}
    </Loaded>
  )
}

/** A claim of the server about its tool, not a fact. */
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

function shortArguments(args: JsonObject): string {
  const text = JSON.stringify(args)
  return visible(text === '{}' ? '' : text.slice(0, 200))
}
