import { Button, Checkbox } from '@mantine/core'
import type { ConsentAnswer, ConsentQuestion } from '@parley/host'
import type { JsonObject } from '@parley/mcp'
import { useState, type ReactElement } from 'react'

import type { ChatAnswer } from '../../src/chat.ts'
import { visible } from '../visible.ts'
import { CallQuestion } from './call-question.tsx'
import { SheetFrame } from './sheet-frame.tsx'

type Remember = NonNullable<ConsentAnswer['remember']>

const lengths: readonly Remember[] = ['once', 'session', 'always']

/** Calls that the model wants to make: one, or several that would run together. Nothing runs before the answer. */
export function ConsentSheet({
  calls,
  onAnswer,
}: {
  readonly calls: readonly ConsentQuestion[]
  readonly onAnswer: (answer: ChatAnswer) => void
}): ReactElement {
  const [edited, setEdited] = useState<ReadonlyMap<number, JsonObject | undefined>>(new Map())
  const [isEditing, setIsEditing] = useState(false)
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set())
  const [isServer, setIsServer] = useState(false)
  const [only] = calls
  const isOne = calls.length === 1
  // A text that is no JSON has no value: nothing is sent before it is mended.
  const isBroken = [...edited.values()].includes(undefined)
  const longest = shortest(calls.map(({ maxRemembered = 'always' }) => maxRemembered))

  function answer(allow: (at: number) => boolean, remember: Remember) {
    if (isBroken && calls.some((_, at) => allow(at))) return
    const scope = isServer ? 'server' : 'tool'
    const answers = calls.map((_, at): ConsentAnswer => {
      if (!allow(at)) return { decision: 'deny' }
      const args = edited.get(at)
      return {
        decision: 'allow',
        remember,
        ...(remember !== 'once' && { scope }),
        ...(args !== undefined && { arguments: args }),
      }
    })
    onAnswer({ kind: 'consent', answers })
  }
  const denyAll = () => answer(() => false, 'once')
  /** Refused from now on; it can be taken back with `parley rules revoke`. */
  function never() {
    const refusal = {
      decision: 'deny',
      remember: 'always',
      scope: isServer ? 'server' : 'tool',
    } as const
    onAnswer({ kind: 'consent', answers: calls.map(() => refusal) })
  }
  const allowAll = (remember: Remember) => () => answer(() => true, remember)
  const may = (remember: Remember) => lengths.indexOf(remember) <= lengths.indexOf(longest)
  const title =
    isOne && only !== undefined ? titleOf(only) : `The model wants to run ${calls.length} tools`

  return (
    <SheetFrame
      icon="shield"
      title={title}
      onEscape={denyAll}
      keys={{
        n: denyAll,
        y: allowAll('once'),
        ...(may('session') && { s: allowAll('session') }),
        ...(may('always') && { a: allowAll('always'), N: never }),
        e: () => setIsEditing(true),
      }}
      hint={`Keys: n no · y once${may('session') ? ' · s this session' : ''}${may('always') ? ' · a always · N never' : ''} · e edit · Escape no`}
      buttons={
        <>
          <Button variant="default" data-safe onClick={denyAll}>
            {isOne ? 'Deny' : 'Deny all'}
          </Button>
          {!isOne && (
            <Button
              variant="default"
              disabled={picked.size === 0}
              onClick={() => answer((at) => picked.has(at), 'once')}
            >
              {picked.size === 0 ? 'Allow selected once' : `Allow ${picked.size} selected once`}
            </Button>
          )}
          <Button disabled={isBroken} onClick={allowAll('once')}>
            {isOne ? 'Allow once' : 'Allow all once'}
          </Button>
          {may('session') && (
            <Button variant="default" disabled={isBroken} onClick={allowAll('session')}>
              Allow for this session
            </Button>
          )}
          {may('always') && (
            <Button variant="default" disabled={isBroken} onClick={allowAll('always')}>
              Always allow
            </Button>
          )}
          {may('always') && (
            <Button variant="default" onClick={never}>
              Never allow
            </Button>
          )}
          {may('session') && (
            <Checkbox
              label={isOne ? 'for every tool of this server' : 'for every tool of these servers'}
              checked={isServer}
              onChange={(event) => setIsServer(event.currentTarget.checked)}
            />
          )}
        </>
      }
    >
      {calls.map((question, at) => (
        <CallQuestion
          // The calls of a question never change.
          key={question.call.id}
          question={question}
          isOne={isOne}
          isEditing={isEditing}
          onEdit={() => setIsEditing(true)}
          onArguments={(args) => setEdited((before) => new Map([...before, [at, args]]))}
          isPicked={picked.has(at)}
          onPick={(isPicked) =>
            setPicked((before) => {
              const next = new Set(before)
              if (isPicked) next.add(at)
              else next.delete(at)
              return next
            })
          }
        />
      ))}
    </SheetFrame>
  )
}

function titleOf({ call }: ConsentQuestion): string {
  const server = visible(call.server)
  const who = call.by === 'app' ? `An app of ${server}` : 'The model'
  return `${who} wants to run ${visible(call.tool.name)} of ${server}`
}

function shortest(all: readonly Remember[]): Remember {
  return lengths[Math.min(...all.map((one) => lengths.indexOf(one)))] ?? 'once'
}
