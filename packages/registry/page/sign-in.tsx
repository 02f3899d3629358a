import { ActionIcon, Button, Group, Modal, PasswordInput, Tooltip } from '@mantine/core'
import type { Problem } from '@parley/page/channel'
import { Icon } from '@parley/page/icons'
import { recordOf } from '@parley/page/json'
import { announce, ProblemNote, useIsNarrow } from '@parley/page/parts'
import { useState, type FormEvent, type ReactElement } from 'react'

import { ask, askProblemOf } from './ask.ts'
import { enter, leave, readModerated, useSession } from './session.ts'

/** Signing in with a token, and out again. */
export function SignIn(): ReactElement {
  const isSignedIn = useSession(({ token }) => token !== undefined)
  const [isOpen, setIsOpen] = useState(false)
  const out = () => {
    leave()
    announce('You are signed out.')
  }
  const isNarrow = useIsNarrow()
  const label = isSignedIn ? 'Sign out' : 'Sign in'
  const act = isSignedIn ? out : () => setIsOpen(true)
  return (
    <>
      {isNarrow ? (
        <Tooltip label={label}>
          <ActionIcon aria-label={label} onClick={act}>
            <Icon name="key" size={17} />
          </ActionIcon>
        </Tooltip>
      ) : (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<Icon name="key" size={14} />}
          onClick={act}
        >
          {label}
        </Button>
      )}
      {isOpen && <SignInDialog onClose={() => setIsOpen(false)} />}
    </>
  )
}

function SignInDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
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
      const problem = error === unknownToken ? rejectedToken : askProblemOf(error)
      setState({ isBusy: false, problem: problem.code === '401' ? rejectedToken : problem })
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
const rejectedToken: Problem = {
  code: 'unknown',
  message: 'The registry does not know this token, or it has expired.',
  hint: 'A token of parley registry login is good for five minutes.',
}

/** What a header can carry. */
function isSendable(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token)
}
