import { Button, Group, Modal, PasswordInput } from '@mantine/core'
import type { Problem } from '@parley/page/channel'
import { recordOf } from '@parley/page/json'
import { announce, ProblemNote } from '@parley/page/parts'
import { useState, type FormEvent, type ReactElement } from 'react'

import { ask, askProblemOf } from './ask.ts'
import { enter, readModerated } from './session.ts'

/** Asks for a token, and tries it. */
export function SignInDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const [text, setText] = useState('')
  const [state, setState] = useState<{ isBusy: boolean; problem?: Problem }>({ isBusy: false })
  const token = text.trim()

  async function signIn(event: FormEvent): Promise<void> {
    event.preventDefault()
    setState({ isBusy: true })
    try {
      const answer = await ask('x/session', { token })
      if (recordOf(answer)['isKnown'] !== true) throw unknownToken
      enter({ token, moderates: readModerated(answer) })
      announce('You are signed in.')
      onClose()
    } catch (error) {
      const problem = error === unknownToken ? refused : askProblemOf(error)
      setState({ isBusy: false, problem: problem.code === '401' ? refused : problem })
    }
  }

  return (
    <Modal opened onClose={onClose} title="Sign in">
      <form className="stack" onSubmit={(event) => void signIn(event)}>
        <PasswordInput
          label="Token"
          description="Your API key for this registry, or what parley registry login --print-token prints. It is kept in this tab until you close it."
          value={text}
          maxLength={8_000}
          autoComplete="off"
          required
          data-autofocus
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {state.problem !== undefined && (
          <ProblemNote problem={state.problem} title="You are not signed in" />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={state.isBusy} disabled={!isSendable(token)}>
            Sign in
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

const unknownToken = new Error('unknown token')
const refused: Problem = {
  code: 'unknown',
  message: 'The registry does not know this token, or it has expired.',
  hint: 'A token of parley registry login is good for five minutes.',
}

/** What a header can carry. */
function isSendable(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token)
}
