import { Button, PasswordInput } from '@mantine/core'
import { Note } from '@parley/page/parts'
import { useState, type FormEvent, type ReactElement } from 'react'

import type { ChatAnswer, KeyRequest } from '../../src/chat.ts'
import { visible } from '../visible.ts'
import { SheetFrame } from './sheet-frame.tsx'

/** The key that a model needs: asked for once, and again only if it is refused. */
export function KeySheet({
  request,
  onAnswer,
}: {
  readonly request: KeyRequest
  readonly onAnswer: (answer: ChatAnswer) => void
}): ReactElement {
  const { model, host, variable, isRejected, isStored } = request
  const [key, setKey] = useState('')
  const leave = () => onAnswer({ kind: 'key' })
  function use() {
    if (key.trim() !== '') onAnswer({ kind: 'key', key: key.trim() })
  }
  return (
    <SheetFrame
      icon="key"
      title={`${visible(model)} needs an API key`}
      onEscape={leave}
      onSubmit={use}
      buttons={
        <>
          <Button
            variant="default"
            data-safe
            rightSection={
              <kbd className="keys" aria-hidden>
                Esc
              </kbd>
            }
            onClick={leave}
          >
            Go on without a key
          </Button>
          <Button disabled={key.trim() === ''} onClick={use}>
            Use this key
          </Button>
        </>
      }
    >
      {isRejected && (
        <Note tone="warning">{visible(host)} refused the key that was used before.</Note>
      )}
      <form
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          use()
        }}
      >
        <PasswordInput
          label="API key"
          autoComplete="off"
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
        />
      </form>
      <p className="quiet wrap">
        It is sent to {visible(host)} and nowhere else.{' '}
        {isStored
          ? 'It is kept in your secret store, encrypted.'
          : `It is kept until the chat ends: there is no keychain here. Set ${variable} to have it at every start.`}
      </p>
    </SheetFrame>
  )
}
