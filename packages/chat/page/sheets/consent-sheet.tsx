import { Button, Menu } from '@mantine/core'
import type { ConsentAnswer, ConsentQuestion } from '@parley/host'
import type { JsonObject } from '@parley/mcp'
import { Icon } from '@parley/page/icons'
import { Tag } from '@parley/page/parts'
import { openSettings } from '@parley/page/shell'
import { useState, type ReactElement } from 'react'

import type { ChatAnswer } from '../../src/chat.ts'
import { visible } from '../visible.ts'
import { CallQuestion } from './call-question.tsx'
import { SheetFrame } from './sheet-frame.tsx'
import { tickedAtFirst } from './ticked-at-first.ts'

type Remember = NonNullable<ConsentAnswer['remember']>
type Scope = NonNullable<ConsentAnswer['scope']>

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
  const [editing, setEditing] = useState<ReadonlySet<number>>(new Set())
  const [picked, setPicked] = useState(() => tickedAtFirst(calls))
  const [only] = calls
  const isOne = calls.length === 1
  // A text that is no JSON has no value: nothing is sent before it is mended.
  const isBroken = [...edited.values()].includes(undefined)
  const longest = shortest(calls.map(({ maxRemembered = 'always' }) => maxRemembered))
  const isPicked = (at: number) => isOne || picked.has(at)
  const count = isOne ? 1 : picked.size
  const servers = [...new Set(calls.map(({ call }) => visible(call.server)))]
  const whose = servers.length === 1 ? (servers[0] ?? '') : 'these servers'

  function answer(allows: (at: number) => boolean, remember: Remember, scope: Scope = 'tool') {
    if (isBroken && calls.some((_, at) => allows(at))) return
    const answers = calls.map((_, at): ConsentAnswer => {
      if (!allows(at)) return { decision: 'deny' }
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
  /** Denied from now on; it can be taken back in the settings. */
  function never(scope: Scope) {
    const denial = { decision: 'deny', remember: 'always', scope } as const
    onAnswer({ kind: 'consent', answers: calls.map(() => denial) })
  }
  const allow = (remember: Remember, scope?: Scope) => () => {
    if (count > 0) answer(isPicked, remember, scope)
  }
  const edit = () => setEditing(new Set(calls.keys()))
  const may = (remember: Remember) => lengths.indexOf(remember) <= lengths.indexOf(longest)
  const title =
    isOne && only !== undefined ? titleOf(only) : `The model wants to run ${calls.length} tools`

  return (
    <SheetFrame
      icon="shield"
      title={title}
      tags={
        <>
          {calls.some(({ call }) => call.flow.untrusted) && (
            <Tag tone="warning" icon="alert">
              after untrusted content
            </Tag>
          )}
          {calls.some(({ call }) => call.flow.private) && (
            <Tag tone="warning" icon="lock">
              after private content
            </Tag>
          )}
        </>
      }
      onEscape={denyAll}
      keys={{
        n: denyAll,
        y: allow('once'),
        ...(may('session') && { s: allow('session') }),
        ...(may('always') && { a: allow('always'), N: () => never('tool') }),
        e: edit,
      }}
      buttons={
        <>
          {!isOne && picked.size < calls.length && (
            <span className="quiet grow">
              {calls.length - picked.size === 1
                ? 'The call that is not ticked is denied.'
                : 'Calls that are not ticked are denied.'}
            </span>
          )}
          <Button
            variant="default"
            data-safe
            rightSection={
              <kbd className="keys" aria-hidden>
                N
              </kbd>
            }
            onClick={denyAll}
          >
            {isOne ? 'Deny' : 'Deny all'}
          </Button>
          <Button.Group>
            <Button
              disabled={isBroken || count === 0}
              rightSection={
                <kbd className="keys" aria-hidden>
                  Y
                </kbd>
              }
              onClick={allow('once')}
            >
              {isOne ? 'Allow once' : `Allow ${count} once`}
            </Button>
            <Menu position="top-end">
              <Menu.Target>
                <Button
                  className="split-more"
                  aria-label="More ways to answer"
                  disabled={isBroken || count === 0}
                >
                  <Icon name="chevronDown" size={14} />
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {may('session') && (
                  <>
                    <Menu.Item
                      rightSection={
                        <kbd className="keys" aria-hidden>
                          S
                        </kbd>
                      }
                      onClick={allow('session')}
                    >
                      Allow for this session
                    </Menu.Item>
                    <Menu.Item onClick={allow('session', 'server')}>
                      Allow all tools of {whose} for this session
                    </Menu.Item>
                  </>
                )}
                {may('always') && (
                  <>
                    <Menu.Divider />
                    <Menu.Item
                      rightSection={
                        <kbd className="keys" aria-hidden>
                          A
                        </kbd>
                      }
                      onClick={allow('always')}
                    >
                      Always allow
                    </Menu.Item>
                    <Menu.Item onClick={allow('always', 'server')}>
                      Always allow all tools of {whose}
                    </Menu.Item>
                    <Menu.Divider />
                    <Menu.Item
                      color="red"
                      rightSection={
                        <kbd className="keys" aria-hidden>
                          ⇧ N
                        </kbd>
                      }
                      onClick={() => never('tool')}
                    >
                      Never allow
                    </Menu.Item>
                    <Menu.Item color="red" onClick={() => never('server')}>
                      Never allow any tool of {whose}
                    </Menu.Item>
                  </>
                )}
                <Menu.Divider />
                <Menu.Item
                  rightSection={
                    <kbd className="keys" aria-hidden>
                      E
                    </kbd>
                  }
                  onClick={edit}
                >
                  Edit the arguments
                </Menu.Item>
                <Menu.Item onClick={() => openSettings('permissions')}>
                  Permissions in the settings
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </Button.Group>
        </>
      }
    >
      <div className="call-questions">
        {calls.map((question, at) => (
          <CallQuestion
            // The calls of a question never change.
            key={question.call.id}
            question={question}
            isOne={isOne}
            isEditing={editing.has(at)}
            onEdit={() => setEditing((before) => new Set([...before, at]))}
            onArguments={(args) => setEdited((before) => new Map([...before, [at, args]]))}
            isPicked={isPicked(at)}
            onPick={(isTicked) =>
              setPicked((before) => {
                const next = new Set(before)
                if (isTicked) next.add(at)
                else next.delete(at)
                return next
              })
            }
          />
        ))}
      </div>
    </SheetFrame>
  )
}

function titleOf({ call }: ConsentQuestion): string {
  const server = visible(call.server)
  const who = call.by === 'app' ? `An app of ${server}` : 'The model'
  return `${who} wants to run ${visible(call.tool.name)} of ${server}`
}

function shortest(all: readonly Remember[]): Remember {
  return lengths[Math.min(...all.map((item) => lengths.indexOf(item)))] ?? 'once'
}
